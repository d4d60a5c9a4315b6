-- What goes out to guests: push notifications to their devices and the mails about their orders.

-- A guest's device that takes notifications of a restaurant. The token is personal data.
create table push_device (
    id            uuid primary key,
    restaurant_id uuid not null references restaurant,
    token         text not null,
    platform      text not null check (platform in ('android', 'ios', 'web')),
    created_at    timestamptz not null default now(),
    -- When the app has last said that the token is good.
    seen_at       timestamptz not null default now(),
    unique (restaurant_id, token)
);

create table push_notification (
    id                 uuid primary key,
    restaurant_id      uuid not null references restaurant,
    scheduled_at       timestamptz not null,
    notification_title text not null,
    notification_body  text not null,
    -- Sending has begun: nothing can be changed any more.
    notification_sent  boolean not null default false,
    status             text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'missed')),
    -- The sending that counts: jobs of earlier schedules name another one and do nothing.
    run                uuid not null,
    admin_id           uuid,
    admin_name         text,
    recipients         int not null default 0,
    accepted           int not null default 0,
    failed             int not null default 0,
    unregistered       int not null default 0,
    -- Why the last one failed.
    failure            text,
    sent_at            timestamptz,
    version            bigint not null default 1,
    archived_at        timestamptz,
    created_at         timestamptz not null default now()
);
create index on push_notification (restaurant_id, scheduled_at);

-- What becomes of a notification at each device, while it is sent. `claimed` stands there before the device is written to:
-- what is found so after a crash may have arrived, and is not sent again.
create table push_delivery (
    notification_id uuid not null references push_notification,
    device_id       uuid not null,
    state           text not null default 'waiting' check (state in ('waiting', 'claimed', 'later', 'accepted', 'failed', 'unregistered')),
    attempts        int not null default 0,
    primary key (notification_id, device_id)
);
create index on push_delivery (notification_id, state);

-- A restaurant's own texts of the mails about an order. What is null is the usual text in that language.
create table order_email (
    restaurant_id    uuid not null references restaurant,
    kind             text not null check (kind in ('received', 'accepted', 'refused')),
    enabled          boolean not null default true,
    subject          text,
    subject_sec_lang text,
    body             text,
    body_sec_lang    text,
    version          bigint not null default 1,
    primary key (restaurant_id, kind)
);
