-- Exports of what a filter of previous orders finds, as a workbook or as text.
alter table export_request
    drop constraint export_request_export_type_check,
    add constraint export_request_export_type_check check (export_type in ('shadow_customer_export', 'order_export',
        'order_item_export', 'order_list_export')),
    add column format text not null default 'xlsx' check (format in ('xlsx', 'csv')),
    -- What is looked for. It may be a guest's name or phone, so it goes once the file is made.
    add column filter jsonb,
    -- Whether the file may hold guests' data: names, phones, addresses, messages.
    add column guests boolean not null default true;
