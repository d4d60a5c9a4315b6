-- What was chosen for the sheet with the options: sheet, row of the headings, columns. Null: what is recognised.
alter table menu_import add column options jsonb;
