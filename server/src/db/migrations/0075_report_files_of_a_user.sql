-- The files of a user, newest first: the list on the screens of reports.
create index report_files_owner on report_files (created_by, created_at, id);
