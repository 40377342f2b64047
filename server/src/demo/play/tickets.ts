/** Tickets of the demo's customers: a question, claims in several states, and a company's artwork. */
import type { Label } from '@waybill/contract/ground/enums/labels'
import { deliveredStatuses } from '@waybill/contract/ground/status/parcel-status'
import type { ClaimReason } from '@waybill/contract/tickets/claims'
import sharp from 'sharp'
import { storeAttachment } from '../../domains/attachments/service.ts'
import { appendMessage } from '../../domains/chat/service.ts'
import { declareParcelLost } from '../../domains/parcels/lost/service.ts'
import { beginArtworkTicket, decideArtworkTicket, submitArtworkTicket } from '../../domains/tickets/artwork-tickets.ts'
import { decideTicketClaim, documentTicket, makeClaim, withdrawOwnClaim } from '../../domains/tickets/claims.ts'
import { openTicket } from '../../domains/tickets/service.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { type Account, demoAccounts, getTextFor } from '../story/people.ts'
import { createCaller, type Stage, staffCaller } from './stage.ts'

const svg = (width: number, height: number, content: string) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`))
    .png()
    .toBuffer()

const lines = (widths: readonly number[]) =>
  widths.map((width, n) => `<rect x="60" y="${130 + n * 44}" width="${width}" height="14" fill="#8a94a3"/>`).join('')

/** A receipt, a broken box, the plan of two gates and a company's logo: drawings, because the demo has no photos. */
const drawings = {
  receipt: () =>
    svg(
      480,
      640,
      `<rect width="480" height="640" fill="#fff"/><rect x="60" y="60" width="200" height="30" fill="#2f3a4a"/>
      ${lines([360, 320, 340, 280, 360, 300, 180])}<rect x="280" y="520" width="140" height="30" fill="#2f3a4a"/>`,
    ),
  damage: () =>
    svg(
      640,
      480,
      `<rect width="640" height="480" fill="#dfe5ec"/><rect x="120" y="120" width="400" height="280" fill="#b98a5a"/>
      <rect x="120" y="236" width="400" height="40" fill="#d9b98c"/>
      <path d="M330 120 L300 210 L350 250 L310 330 L340 400" stroke="#3a2a18" stroke-width="12" fill="none"/>`,
    ),
  plan: () =>
    svg(
      640,
      480,
      `<rect width="640" height="480" fill="#fff"/><rect y="400" width="640" height="80" fill="#c9d0d9"/>
      <rect x="120" y="60" width="400" height="300" fill="none" stroke="#2f3a4a" stroke-width="10"/>
      <rect x="220" y="130" width="200" height="150" fill="#b98a5a"/>
      <rect x="280" y="350" width="80" height="20" fill="#2e8b57"/>
      <rect x="280" y="50" width="80" height="20" fill="#c0392b"/>
      <path d="M320 440 L320 385 M305 400 L320 382 L335 400" stroke="#2e8b57" stroke-width="8" fill="none"/>`,
    ),
  mark: () =>
    svg(
      600,
      200,
      `<rect width="600" height="200" fill="#fff"/><path d="M40 160 L130 40 L180 105 L210 70 L280 160 Z" fill="#111"/>
      <rect x="310" y="70" width="240" height="26" fill="#111"/>
      <rect x="310" y="112" width="170" height="16" fill="#111"/>`,
    ),
} as const

/** Tickets of three customers and of a company. */
export async function openTickets(stage: Stage): Promise<void> {
  const { deps } = stage
  const manager = staffCaller('accounts@waybill.example', null)
  const getCaller = (key: string) => {
    const account = demoAccounts.find((each) => each.key === key)
    if (!account) throw new Error(`the demo has no account ${key}`)
    return createCaller(account, account.owner)
  }
  const [aisyah, weiming, kinabalu] = [getCaller('aisyah'), getCaller('weiming'), getCaller('kinabalu')]
  const question = { title: '公共假期取件', description: '屠妖节当天会派人上门取件吗？' }
  const { id } = await openTicket(deps, weiming, { kind: 'enquiry', aboutId: null, ...question }, withoutKey)
  await appendMessage(deps, manager, id, { text: '当天不会，隔天会上门取件。', attachmentIds: [] }, withoutKey)
  const bill = { title: 'Invoice to another address', description: 'Please send our invoices to the new office.' }
  await openTicket(deps, kinabalu, { kind: 'billing', aboutId: null, ...bill }, withoutKey)

  const own = { title: 'A second flat rate', description: 'Is there a cheaper rate for five parcels a day?' }
  await openTicket(deps, aisyah, { kind: 'enquiry', aboutId: null, ...own }, withoutKey)

  const visit = { title: 'Rider at the wrong gate', description: 'He waited at the back gate. A plan is attached.' }
  const delivery = await openTicket(deps, aisyah, { kind: 'delivery', aboutId: null, ...visit }, withoutKey)
  await documentTicket(deps, aisyah, delivery.id, {
    version: delivery.version,
    documents: [{ kind: 'other', attachmentId: await upload(stage, aisyah, 'ticket_document', 'plan') }],
  })

  await claimFor(stage, 'lost', async () => {})
  await claimFor(stage, 'damaged', async ({ id: ticketId, version, amountMinor }) => {
    await decideTicketClaim(deps, manager, ticketId, { version, decision: 'accepted', amountMinor, note: null })
  })
  await claimFor(stage, 'damaged', async ({ account, id: ticketId, version }) => {
    const note = getTextFor(account, notes.refused)
    await decideTicketClaim(deps, manager, ticketId, { version, decision: 'refused', amountMinor: null, note })
  })
  await claimFor(stage, 'damaged', async ({ account, id: ticketId, version }) => {
    const note = getTextFor(account, notes.documents_requested)
    await decideTicketClaim(deps, manager, ticketId, {
      version,
      decision: 'documents_requested',
      amountMinor: null,
      note,
    })
  })
  await claimFor(stage, 'damaged', async () => {})
  await claimFor(stage, 'missing', async () => {})
  await claimFor(stage, 'missing', async ({ account, id: ticketId, version }) => {
    await withdrawOwnClaim(deps, createCaller(account, account.owner), ticketId, version)
  })

  const picture = await upload(stage, kinabalu, 'artwork', 'mark')
  const draft = await beginArtworkTicket(deps, kinabalu, picture)
  const submitted = await submitArtworkTicket(deps, kinabalu, draft.id, draft.version)
  const accepted = { version: submitted.version, event: 'draft_accepted' as const, remark: null }
  await decideArtworkTicket(deps, manager, draft.id, accepted)
}

/** Declares a parcel lost: of those between two stations, the one whose last scan is the oldest. */
export async function loseParcel({ deps, trx }: Stage): Promise<void> {
  const parcel = await trx
    .selectFrom('parcels')
    .select(['id', 'version'])
    .where('status', '=', 'outbound')
    .orderBy('last_event_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const note = 'It left our station, but never arrived at the next one. We have searched both of them and the van.'
  const supervisor = staffCaller('superadmin@waybill.example', null)
  await declareParcelLost(deps, supervisor, parcel.id, { version: parcel.version, note })
}

async function upload(
  { deps, trx }: Stage,
  { accountId, userId }: CustomerCaller,
  purpose: 'artwork' | 'ticket_document',
  drawing: keyof typeof drawings,
): Promise<string> {
  const bytes = await drawings[drawing]()
  const name = `${drawing}.png`
  return (await storeAttachment(deps, trx, { accountId, userId }, bytes, { purpose, name })).id
}

const descriptions: Readonly<Record<ClaimReason, Label>> = {
  lost: ['You wrote that it is lost. The receipt shows its value.', '你们通知说包裹遗失了，收据上有它的价值。'],
  damaged: ['The box was torn open and the contents damaged.', '箱子被撕开，里面的东西都损坏了。'],
  missing: ['The tape was cut, and the box was empty.', '胶带被割开，箱子是空的。'],
}

/** What staff write to the claimant. */
const notes = {
  refused: ['The photos show no damage to the contents.', '照片上看不到内件有损坏。'],
  documents_requested: ['Please send a receipt that we can read.', '请补交一张看得清楚的收据。'],
} as const satisfies Record<string, Label>

type NewTicket = { account: Account; id: string; version: number; amountMinor: number }

/**
 * Opens a claim for the next insured parcel that fits the reason, with its documents; does nothing if there is none.
 */
async function claimFor(
  stage: Stage,
  reason: ClaimReason,
  then: (ticket: NewTicket) => Promise<unknown>,
): Promise<void> {
  const { deps, trx } = stage
  const parcel = await trx
    .selectFrom('parcels')
    .select(['id', 'account_id', 'insured_value_minor'])
    .where(
      'account_id',
      'in',
      demoAccounts.map(({ id }) => id),
    )
    .where('insured_value_minor', '>', 0)
    .where('id', 'not in', trx.selectFrom('claims').select('parcel_id'))
    .where('status', 'in', reason === 'lost' ? ['lost'] : deliveredStatuses)
    .orderBy('last_event_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const amountMinor = parcel?.insured_value_minor
  const account = demoAccounts.find(({ id }) => id === parcel?.account_id)
  if (!parcel || !amountMinor || !account) return
  const caller = createCaller(account, account.owner)
  const documents = [
    { kind: 'proof_of_value' as const, attachmentId: await upload(stage, caller, 'ticket_document', 'receipt') },
    ...(reason === 'lost'
      ? []
      : [
          {
            kind: reason === 'damaged' ? ('damage_photo' as const) : ('packaging_photo' as const),
            attachmentId: await upload(stage, caller, 'ticket_document', 'damage'),
          },
        ]),
  ]
  const description = getTextFor(account, descriptions[reason])
  const body = { parcelId: parcel.id, reason, amountMinor, description, documents }
  const { id, version } = await makeClaim(deps, caller, body, withoutKey)
  await then({ account, id, version, amountMinor })
}
