-- how often reading the file has begun: a file that takes the process with it must not be tried for ever
alter table bulk_batches add column attempts integer not null default 0;
