/** Pictures: the courier's logo, a sender's face and parcel, and companies' artwork in every status. */
import type { AttachmentPurpose } from '@waybill/contract/attachments/attachments'
import sharp from 'sharp'
import { changePhoto } from '../../domains/accounts/profile/photo.ts'
import { changeLogo } from '../../domains/attachments/company-logo.ts'
import { uploadAttachment } from '../../domains/attachments/manage-uploads.ts'
import { writeSettings } from '../../domains/settings/service.ts'
import { beginArtworkTicket, decideArtworkTicket, submitArtworkTicket } from '../../domains/tickets/artwork-tickets.ts'
import type { UserCaller } from '../../http/caller.ts'
import { type Account, demoAccounts, type SideAccount, sideAccounts } from '../story/people.ts'
import { createCaller, type Stage, staffCaller } from './stage.ts'

/** Drawings in a 240 by 240 view box, without text, so that no font is needed. */
const drawings = {
  logo: [
    '<rect width="240" height="240" rx="48" fill="#e82023"/>',
    '<path d="M48 76l34 96 38-78 38 78 34-96" fill="none" stroke="#fff" stroke-width="24" stroke-linejoin="round"/>',
  ],
  face: [
    '<rect width="240" height="240" fill="#d7e3ec"/>',
    '<circle cx="120" cy="100" r="52" fill="#7a4b2e"/><path d="M30 240c0-60 40-86 90-86s90 26 90 86z" fill="#2f7f9e"/>',
  ],
  parcel: [
    '<rect width="240" height="240" fill="#e9e4da"/><path d="M40 90l80-36 80 36v80l-80 36-80-36z" fill="#c39a63"/>',
    '<path d="M40 90l80 36 80-36M120 126v80" stroke="#8a6636" stroke-width="6" fill="none"/>',
  ],
  artwork: [
    '<rect width="240" height="240" fill="#fff"/><path d="M20 200l70-110 40 56 30-40 60 94z" fill="#16394a"/>',
    '<circle cx="176" cy="70" r="28" fill="#f3b562"/>',
  ],
} as const

async function paint(drawing: keyof typeof drawings): Promise<Buffer> {
  const shapes = drawings[drawing].join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="240">${shapes}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

async function uploadDrawing(
  { deps }: Stage,
  caller: UserCaller,
  purpose: AttachmentPurpose,
  drawing: keyof typeof drawings,
): Promise<string> {
  const file = { name: `${drawing}.png`, bytes: await paint(drawing) }
  const { id } = await uploadAttachment(deps, caller, purpose, { file })
  return id
}

/** The superadmin uploads the courier's logo for pages, mails and documents. */
export async function putLogo(stage: Stage): Promise<void> {
  const superadmin = staffCaller('superadmin@waybill.example', null)
  const id = await uploadDrawing(stage, superadmin, 'logo', 'logo')
  await writeSettings(stage.deps, superadmin, { values: { 'company.logo': id } }, '203.0.113.8', {
    changeLogo,
    checks: [],
  })
}

/** Uploads a photo of a parcel: a sender's for the parcel or a weight dispute, or a station's of its scale. */
export function photographParcel(
  stage: Stage,
  caller: UserCaller,
  purpose: 'parcel_photo' | 'dispute_photo' | 'reweigh_photo' = 'parcel_photo',
): Promise<string> {
  return uploadDrawing(stage, caller, purpose, 'parcel')
}

/** Gives a sender a profile photo, and an upload that links to a customer's documents. */
export async function dressUp(stage: Stage): Promise<void> {
  const { deps } = stage
  const seller = demoAccounts.find(({ key }) => key === 'aisyah')
  if (!seller) return
  const caller = createCaller(seller, seller.owner)
  await changePhoto(deps, caller, await uploadDrawing(stage, caller, 'profile_photo', 'face'))
  await uploadAttachment(deps, caller, 'general', { file: null, url: 'https://example.com/size-chart.pdf' })
}

type Decision = Parameters<typeof decideArtworkTicket>[3]['event']

/** The state of each artwork, by company. */
const artworks: readonly { of: 'company' | 'shop'; submitted: boolean; decisions: readonly Decision[] }[] = [
  { of: 'company', submitted: true, decisions: ['draft_rejected'] },
  { of: 'company', submitted: true, decisions: ['draft_accepted', 'artwork_rejected'] },
  { of: 'company', submitted: true, decisions: ['draft_accepted', 'artwork_approved'] },
  { of: 'company', submitted: true, decisions: ['draft_accepted'] },
  { of: 'shop', submitted: true, decisions: [] },
  { of: 'shop', submitted: false, decisions: [] },
]
const remarks: Partial<Record<Decision, string>> = {
  draft_rejected: 'The picture is too small to print. Please send one of 600 pixels or more.',
  artwork_rejected: 'The lower edge is cut off on A6.',
}

/** Uploads artwork for consignment notes in each of its statuses. */
export async function designLabels(stage: Stage): Promise<void> {
  const { deps } = stage
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  const clerk = staffCaller('sales@waybill.example', null)
  for (const { of, submitted, decisions } of artworks) {
    const account: Account | SideAccount | undefined = of === 'company' ? company : sideAccounts.overdue
    if (!account) continue
    const caller = createCaller(account, account.owner)
    const artwork = await beginArtworkTicket(deps, caller, await uploadDrawing(stage, caller, 'artwork', 'artwork'))
    if (!submitted) continue
    let { version } = await submitArtworkTicket(deps, caller, artwork.id, artwork.version)
    for (const event of decisions) {
      const remark = remarks[event] ?? null
      version = (await decideArtworkTicket(deps, clerk, artwork.id, { event, version, remark })).version
    }
  }
}
