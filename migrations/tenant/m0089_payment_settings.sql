alter table payment_settings
    -- A payment on a provider's page is only held until its order is accepted, where the provider can hold it.
    add column charge_when_accepted boolean not null default false,
    -- What a storno gives back by a provider waits until a person lets it go.
    add column ask_before_refunds   boolean not null default false,
    -- Texts on the page after a payment, in the restaurant's words: provider, outcome, language. What is not there has a
    -- default.
    add column page_texts           jsonb not null default '[]';

alter table payment_refund
    -- It waits until a person lets it go.
    add column waits boolean not null default false;

alter table payment_attempt
    -- Money that was held for an order could not be taken.
    add column not_taken boolean not null default false;

-- The mail to a guest to whom money goes back.
alter table order_email drop constraint order_email_kind_check;
alter table order_email add constraint order_email_kind_check check
    (kind in ('received', 'accepted', 'replaced', 'taken_back', 'refused', 'refunded', 'notification', 'not_accepted'));
