import { sql } from 'kysely'
import type { Tx } from '../../db/pool.ts'

/**
 * Two posts of the gateway that do not fit our books, so that finance has something to look at: one of another amount,
 * one of another currency. Of the latest payments at the gateway, those that came to nothing first; nothing was booked
 * because of them.
 */
export async function seedGatewayAnswers(trx: Tx): Promise<void> {
  await sql`
    insert into gateway_messages (id, payment_id, source, accepted, reason, payload, at, trouble)
    select overlay(overlay(md5('gateway ' || p.id::text) placing '4' from 13) placing '8' from 17)::uuid, p.id, 'backend', false,
      case p.n when 1 then 'amount' else 'currency' end,
      jsonb_build_object('PaymentId', '2', 'RefNo', p.reference, 'Amount', case p.n when 1 then '1.00' else round(p.amount_minor / 100.0, 2)::text end,
        'Currency', case p.n when 1 then p.currency else 'IDR' end, 'TransId', 'T01928475630' || p.n, 'Status', '1'),
      p.created_at + interval '1 minute', 'refused'
    from (select *, row_number() over (order by status = 'succeeded', created_at desc) as n from payments
      where method in ('ipay88', 'credit_card')) p where p.n <= 2`.execute(trx)
}
