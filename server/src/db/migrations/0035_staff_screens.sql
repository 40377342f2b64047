-- How many pickups a station's riders make in a window where it is otherwise than usual: on a day of the week (1 is Monday), and on one day.
alter table station_pickup_capacity add column version integer not null default 1;
create table station_pickup_week (
  station_id uuid not null references stations (id),
  weekday smallint not null constraint station_pickup_week_weekday check (weekday between 1 and 7),
  pickup_window text not null,
  pickups integer not null constraint station_pickup_week_pickups check (pickups >= 0),
  primary key (station_id, weekday, pickup_window)
);
create table station_pickup_days (
  station_id uuid not null references stations (id),
  day date not null,
  pickup_window text not null,
  pickups integer not null constraint station_pickup_days_pickups check (pickups >= 0),
  primary key (station_id, day, pickup_window)
);

-- A holiday can be named: staff takes it off the calendar.
alter table holidays add column id uuid not null default gen_random_uuid();
alter table holidays add primary key (id);

-- Who changed a setting, a station's capacity, the calendar or the rider of a task, found by what was changed.
create index activity_log_changes on activity_log (action, subject, at desc) where action in (
  'settings.put', 'pickups.capacity', 'holidays.add', 'holidays.remove', 'pickups.assigned', 'pickups.started', 'pickups.completed',
  'pickups.failed', 'deliveries.assign', 'deliveries.start');
