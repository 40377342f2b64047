/**
 * A carrier's database of a given size, for P8: parcels of a year and a half with their timelines, orders and
 * bookings, distributed over accounts realistically.
 */
import { type Connection, filledInBulk } from './bulk-fill.ts'
import type { BenchDatabase } from './database.ts'

const days = 540
const chunk = 50_000
const accountsAtOnce = 1_000
const filled = ['parcels', 'parcel_search', 'tracking_events', 'orders', 'carrier_bookings']

/** The account that has a tenth of everything; its first member is its owner. */
export type LargeAccount = { accountId: string; members: string[] }

const price = {
  currency: 'MYR',
  weightGrams: 1200,
  volumetricGrams: 1200,
  chargeableGrams: 1500,
  divisor: 5000,
  rateCard: { code: 'STANDARD', version: 1 },
  originZone: 'KV',
  destinationZone: 'KV',
  lines: [
    { kind: 'freight', amountMinor: 800, basis: { steps: 2 } },
    { kind: 'fuel', amountMinor: 40, basis: { basisPoints: 500 } },
    { kind: 'tax', amountMinor: 53, basis: { basisPoints: 600 } },
  ],
  totalMinor: 893,
}

/** Temporary SQL functions that derive the data of a parcel from its number `n`. */
const inventions = `
  create schema if not exists bench;
  create or replace function bench.pick(words text[], n bigint) returns text language sql immutable as
    $$ select words[1 + (n % array_length(words, 1))::int] $$;
  create or replace function bench.mix(n bigint, salt int) returns bigint language sql immutable as
    $$ select hashint8extended(n, salt) & 9007199254740991 $$;
  create or replace function bench.uuid(at timestamptz, n bigint, salt int) returns uuid language sql stable as
    $$ select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
      || '8' || lpad(to_hex(bench.mix(n, 90 + salt)), 15, '0'))::uuid $$;
  create or replace function bench.number(n bigint) returns text language plpgsql immutable as $$
    declare digits text := lpad(((n * 7385196203 + 3141592653) % 10000000000)::text, 10, '0');
      product int := 10; total int;
    begin
      for i in 1..10 loop
        total := (substr(digits, i, 1)::int + product) % 10;
        if total = 0 then total := 10; end if;
        product := (total * 2) % 11;
      end loop;
      return 'WB' || digits || ((11 - product) % 10)::text;
    end $$;
  create or replace function bench.name(n bigint) returns text language sql immutable as $$
    select bench.pick('{Tan,Lim,Lee,Wong,Ng,Chong,Ahmad,Muhammad,Nur,Siti,Mohd,Abdul,Kumar,Raj,Priya,Farah,Aisyah,Chen,
      Goh,Teo,Yap,Ong,Khoo,Koh,Anwar,Ismail,Hassan,Zainal,Devi,Santhi}', bench.mix(n, 1))
      || ' ' || bench.pick('{Mei,Wei,Ming,Hui,Kah,Jia,bin,binti,Xin,Yee,Chee,Kok,Siew,Huda,Azlan,Faiz,Nabila,Hakim,
        Izzati,Kavitha}', bench.mix(n, 2))
      || ' ' || bench.pick('{Ling,Jun,Hao,Yan,Razak,Rahman,Karim,Yusof,Salleh,Osman,Othman,Bakar,Aziz,Hamid,Latif,Subra,
        Nathan,Pillai,Fong,Keong,Seng,Hock,Leong,Mun,Wai,Shan,Zul,Idris,Jamal,Noor,Roslan,Samad,Tahir,Wahab,Yaakob,
        Zakaria,Ghani,Ibrahim,Mansor,Nordin}', bench.mix(n, 3)) $$;
  create or replace function bench.party(n bigint) returns jsonb language sql immutable as $$
    select jsonb_build_object('contactName', bench.name(n), 'company', null,
      'phone', '+601' || lpad((bench.mix(n, 4) % 100000000)::text, 8, '2'), 'email', 'someone@example.test',
      'line1', (bench.mix(n, 5) % 200)::text || ', Jalan '
        || bench.pick('{Bangsar,Ampang,Ipoh,Telawi,Gasing,Kenari}', bench.mix(n, 6)),
      'line2', null, 'postcode', (40000 + bench.mix(n, 7) % 3000)::text,
      'city', bench.pick('{Kuala Lumpur,Petaling Jaya,Shah Alam,Klang,Ipoh,George Town,Johor Bahru,Melaka,Seremban,
        Kuantan,Kota Bharu,Kuching,Kota Kinabalu,Miri,Taiping,Muar}',
        least(bench.mix(n, 8) % 16, bench.mix(n, 9) % 16)),
      'state', bench.pick('{Selangor,Kuala Lumpur,Johor,Pulau Pinang,Perak,Sabah,Sarawak,Melaka,Kedah,Pahang,Perlis}',
        least(bench.mix(n, 10) % 11, bench.mix(n, 11) % 11)),
      'country', 'my', 'residential', true, 'remarks', null) $$;
  create or replace function bench.status(age double precision, r bigint) returns text language sql immutable as $$
    select case
      when age < 7 then bench.pick('{pending,incart,pending_payment,pending_pickup,pending_pickup,pending_dropoff,
        pending_dropoff,inbound,inbound,inbound,sorting,sorting,outbound,outbound,outbound,delivering,completed,
        completed,fail-to-deliver,cancel,outstanding}', r)
      when r % 1000 < 800 then 'completed' when r % 1000 < 930 then 'collected'
      when r % 1000 < 960 then 'cancel' when r % 1000 < 975 then 'refunded'
      when r % 1000 < 985 then 'pending' when r % 1000 < 988 then 'recall'
      when r % 1000 < 989 then 'outstanding' when r % 1000 < 990 then 'fail-to-deliver'
      else 'completed' end $$;`

/** Fills the migrated, empty database. Afterwards the schema has its indexes and constraints again. */
export async function grow(database: BenchDatabase, size: number, say: (line: string) => void): Promise<LargeAccount> {
  const { query } = database
  await query(inventions)
  const large = await addAccounts(database, Math.max(20, Math.floor(size / 200)))
  await query(
    `select tracking_events_ensure_month(m::date)
      from generate_series(now() - interval '20 months', now() + interval '1 month', interval '1 month') m`,
  )
  const accounts = await query<{ count: number }>('select count(*)::int - 1 as count from bench.accounts')
  const ranges: { from: number; to: number }[] = []
  for (let from = 0; from < size; from += chunk) ranges.push({ from, to: Math.min(size, from + chunk) })
  let count = 0
  const works = ranges.map((range) => async (connection: Connection) => {
    await addParcels(connection, { ...range, size, accounts: accounts[0]?.count ?? 1 })
    count += range.to - range.from
    if (count % (chunk * 10) === 0) say(`  ${count.toLocaleString('en')} parcels`)
  })
  await filledInBulk(database, filled, works, say)
  return large
}

async function addAccounts({ query }: BenchDatabase, count: number): Promise<LargeAccount> {
  await query('create table bench.parties as select n, bench.party(n) as party from generate_series(0, 50020) n')
  await query('alter table bench.parties add primary key (n)')
  await query('analyze bench.parties')
  await query(`create table bench.accounts (n bigint primary key, id uuid not null, members uuid[] not null)`)
  await query(
    `insert into bench.accounts select n, gen_random_uuid(),
       array[gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid()]
     from generate_series(0, $1::bigint) n`,
    [count],
  )
  await query(`insert into accounts (id, user_type, name) select id, 'corporate', 'Sender ' || n from bench.accounts`)
  // A trigger looks up the members of each account. It finds them by the index once the table has statistics.
  for (let from = 0; from <= count; from += accountsAtOnce) {
    await query(
      `insert into users (id, kind, account_id, email, name, is_owner)
       select m, 'customer', a.id, m || '@example.test', 'Member', at = 1
       from bench.accounts a, unnest(members) with ordinality u(m, at)
       where a.n >= $1::bigint and a.n < $1::bigint + ${accountsAtOnce}`,
      [from],
    )
    await query('analyze users')
  }
  const [row] = await query<{ id: string; members: string[] }>('select id, members from bench.accounts where n = 0')
  if (!row) throw new Error('no account')
  return { accountId: row.id, members: row.members }
}

/** Every tenth parcel belongs to the large account; the other accounts have few or many. */
async function addParcels(
  query: Connection,
  { from, to, size, accounts }: { from: number; to: number; size: number; accounts: number },
): Promise<void> {
  await query(
    `create temporary table fresh as
     select g.n, a.id as account_id, a.members[1 + bench.mix(g.n, 12) % 4] as created_by, g.at, g.status,
       bench.uuid(g.at, g.n, 1) as id,
       bench.uuid(g.at, g.n, 2) as order_id, bench.mix(g.n, 13) as r,
       bench.pick('{own,own,own,own,own,own,own,own,own,own,own,own,own,own,own,own,own,own,dhl,yunda}',
         bench.mix(g.n, 14)) as carrier
     from (select n, now() - age * interval '1 day' as at, bench.status(age, bench.mix(n, 15)) as status
       from (select n, ($3::float8 - n) / $3 * ${days} as age from generate_series($1::bigint, $2::bigint - 1) n) x) g
     join bench.accounts a on a.n = case when g.n % 10 = 0 then 0
       else 1 + floor($4::int * power((bench.mix(g.n, 16) % 100000) / 100000.0, 3))::bigint % $4 end`,
    [from, to, size, accounts],
  )
  await query(
    `insert into parcels (account_id, id, created_by, tracking_number, reference, scope, service_type, service_code,
       delivery_mode, carrier, sender, receiver, content_type, cod_amount_minor, collection_mode, weight_grams,
       length_mm, width_mm, height_mm, volumetric_grams, chargeable_grams, price, price_minor, amount_due_minor,
       currency, status, handed_over, order_id, payment_method, batch_id, last_event_at, created_at, updated_at)
     select account_id, id, created_by, case when not unpaid then bench.number(f.n) end,
       case when f.n % 3 = 0 then 'PO-' || (700000 + f.n) end,
       case when r % 40 = 0 then 'international' else 'domestic' end,
       bench.pick('{e_parcel,e_parcel,e_parcel,e_parcel,semi_express,document}', r), 'own.e_parcel',
         bench.pick('{D2D,D2D,P2D,P2D,P2D,D2P,P2P}', r / 7), carrier,
       own.party, their.party, 'clothing', case when r % 15 = 0 then 5900 end,
       case when r % 15 = 0 then 'cod' end, 1200, 300, 200, 100, 1200, 1500,
       $1::jsonb, 893, case when status = 'outstanding' then 893 else 0 end, 'MYR', status,
       status not in ('pending', 'incart', 'pending_payment', 'outstanding'),
       case when f.n % 2 = 0 and not unpaid then order_id end, case when not unpaid then method end,
       case when r % 5 = 0 then bench.uuid('2025-01-01', f.n / 5000, 3) end, at + interval '2 days', at,
         at + interval '2 days'
     from (select *, status in ('pending', 'incart', 'pending_payment') as unpaid,
       ('x' || substr(md5(account_id::text), 1, 8))::bit(32)::bigint as account_id_n,
       bench.pick('{express_credit,express_credit,express_credit,ipay88,ipay88,store,credit_card,monthly_billing}',
         r / 3) as method from fresh) f
     join bench.parties own on own.n = f.account_id_n % 50021
     join bench.parties their on their.n = bench.mix(f.n, 17) % 50021`,
    [JSON.stringify(price)],
  )
  await query(
    `insert into tracking_events (account_id, parcel_id, id, at, event, from_status, status, place, actor_id)
     select account_id, id, gen_random_uuid(), at + step * interval '9 hours',
       (array['created', 'added_to_cart', 'checkout_credit', 'accepted', 'departed'])[step + 1], 'pending',
       (array['pending', 'incart', 'pending_dropoff', 'inbound', 'outbound'])[step + 1], 'Kuala Lumpur', null
     from fresh, generate_series(
       0, case when status in ('pending', 'incart', 'pending_payment') then 0 else 4 end) step`,
  )
  await query(
    `insert into orders (account_id, id, number, created_by, status, currency, total_minor, paid_minor, payment_method,
      lines, parcel_count, paid_at, created_at, updated_at)
     select f.account_id, f.order_id, 'ORD-' || lpad((f.n + 1000)::text, 8, '0'), f.created_by, 'completed', 'MYR',
       893, 893,
       bench.pick('{express_credit,express_credit,express_credit,ipay88,ipay88,store,credit_card,monthly_billing}',
         r / 3), '[]', 1, at, at, at
     from fresh f where n % 2 = 0 and status not in ('pending', 'incart', 'pending_payment')`,
  )
  await query(
    `insert into carrier_bookings (account_id, parcel_id, carrier, tracking_number, state, carrier_number, next_try_at)
     select account_id, id, carrier, bench.number(n), 'booked',
       lpad(n::text, 9, '3') || (lpad(n::text, 9, '3')::bigint % 7)::text, null
     from fresh where carrier <> 'own' and status not in ('pending', 'incart', 'pending_payment')`,
  )
  await query('drop table fresh')
}
