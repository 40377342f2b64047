-- Titles and bodies by language: {"en": "...", "cn_zh": "..."}
create table banners (
  id uuid primary key,
  kind text not null constraint banners_kind check (kind in ('product', 'festival', 'newsletter', 'promotion', 'event')),
  format text not null constraint banners_format check (format in ('text', 'image')),
  title jsonb not null,
  body jsonb,
  image_url text,
  link_url text,
  position integer not null default 0,
  starts_at timestamptz not null,
  ends_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now()
);
create index banners_period on banners (starts_at, ends_at);
