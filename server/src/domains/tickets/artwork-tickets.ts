/** Artwork as a kind of ticket: a branding ticket has the id of its artwork and follows its statuses. */

import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Artwork, decideArtwork, StaffArtwork } from '@waybill/contract/parcels/labels'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { asAccountId, type CustomerCaller, type StaffCaller } from '../../http/caller.ts'
import { type ArtworkFollower, beginArtwork, decideOnArtwork, submitOwnArtwork } from '../parcels/artwork/service.ts'
import { notifyCustomer, notifyStaff } from './notices.ts'
import { insertTicket, lockTicket, updateTicket } from './queries.ts'
import { artworkDeadline } from './rules.ts'
import { publishTicket } from './service.ts'

/** Updates the ticket of an artwork to its status, in the transaction that changes the artwork. */
const follow =
  (deps: Deps): ArtworkFollower =>
  async (trx: DbOrTx, artwork) => {
    const at = deps.clock.now()
    const deadline = artworkDeadline(artwork.status, at)
    const ticket = await lockTicket(trx, artwork.id)
    const row = ticket
      ? await updateTicket(trx, ticket, { status: artwork.status, deadline, at })
      : await insertTicket(trx, {
          id: artwork.id,
          // Safe: the artwork is locked or new in this transaction, so its account is the ticket's.
          account_id: asAccountId(artwork.account_id),
          kind: 'branding',
          status: artwork.status,
          title: '',
          description: '',
          about: null,
          deadline,
          created_by: artwork.created_by,
          opened_by: artwork.created_by,
          at,
        })
    await publishTicket(deps, trx, row)
    if (artwork.status === 'draft.ready') await notifyStaff(deps, trx, row)
    else if (artwork.decided_by) await notifyCustomer(deps, trx, row, 'artwork_decided')
  }

/** Creates an artwork with its ticket. Throws the errors of `beginArtwork`. */
export const beginArtworkTicket = (deps: Deps, caller: CustomerCaller, attachmentId: string): Promise<Artwork> =>
  beginArtwork(deps, caller, attachmentId, follow(deps))

/** Submits a draft. Throws the errors of `submitOwnArtwork`. */
export const submitArtworkTicket = (
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  version: number,
): Promise<Artwork> => submitOwnArtwork(deps, caller, id, version, follow(deps))

/** A decision of staff. Throws the errors of `decideOnArtwork`. */
export const decideArtworkTicket = (
  deps: Deps,
  caller: StaffCaller,
  id: string,
  body: BodyOf<typeof decideArtwork>,
): Promise<StaffArtwork> => decideOnArtwork(deps, caller, id, body, follow(deps))
