-- The problem of a confirmed contradiction is named as its override, and codes alone tell warnings from errors.
update bulk_rows
set problems = replace(problems::text, '"code": "insisted"', '"code": "overridden"')::jsonb
where problems @> '[{"code": "insisted"}]';
