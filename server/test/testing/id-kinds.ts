/** The kind of record that each id in a request refers to. */
import type { Kind } from './foreign-objects.ts'

/**
 * The kind of record that a field refers to, by `endpoint id + field`. The first matching line counts. `null`: the
 * record belongs to no account; a comment gives the reason. A field without a matching line fails the test.
 */
const kinds: readonly (readonly [RegExp, Kind | null])[] = [
  // Stations and zones belong to the courier and are public.
  [/ (body|query)\.(\w+S|s)tationId$/, null],
  [/^zones\./, null],
  [/^stations\.nearby /, null],
  // Tracking by number is public.
  [/^tracking\./, null],
  // A secret from an email is itself the permission.
  [/ (body|params)\.(\w+T|t)oken$/, null],
  // The signature of a file's link is itself the permission.
  [/^attachments\.file /, null],
  // The courier's logo is public.
  [/^attachments\.logo /, null],
  [/^corporate\.\w+ params\.id$|^ownership\.offer /, 'user'],
  [/^ownership\./, 'ownershipOffer'],
  [/ query\.createdBy$|^reportFiles\.create /, 'author'],
  [/^auth\.deleteAccount /, 'self'],
  [/^auth\.photoPut /, 'profilePhoto'],
  [/^auth\.sessionEnd /, 'session'],
  [/^addressImports\./, 'addressImport'],
  [/^addressRequests\./, 'addressRequest'],
  [/^auth\.identityRemove /, 'identity'],
  [/^address(es|Duplicates)\.| body\.senderAddressId$| upload\.senderAddressId$/, 'address'],
  [/^dashboard\./, 'widget'],
  [/^artworks\.create /, 'artworkPicture'],
  [/^artworks\./, 'artwork'],
  [/^chat\.send body\.attachmentIds\[\]$/, 'messageFile'],
  [/^chat\./, 'parcel'],
  [/^tickets\.create body\.aboutId$|^tickets\.claimOptions /, 'parcel'],
  [/^tickets\.createClaim body\.parcelId$/, 'insured'],
  [/^tickets\.\w+ body\.documents\[\]\.attachmentId$/, 'ticketFile'],
  [/^tickets\.withdrawClaim /, 'claim'],
  [/^tickets\./, 'ticket'],
  [/^parcels\.weighingContest body\.photoIds\[\]$/, 'disputePhoto'],
  [/^attachments\.| body\.photoIds\[\]$/, 'attachment'],
  [/^notifications\.unsubscribe /, 'pushDevice'],
  [/^notifications\./, 'notification'],
  [/^dossiers\.create body\.parcelId$/, 'parcel'],
  [/^dossiers\.create body\.orderId$/, 'paidOrder'],
  [/^dossiers\./, 'dossier'],
  [/^reportFiles\./, 'reportFile'],
  [/^apiKeys\./, 'apiKey'],
  [/^webhooks\.resend params\.deliveryId$/, 'delivery'],
  [/^webhooks\./, 'webhook'],
  [/^approvals\.ask |^checkouts\./, 'order'],
  [/^approvals\./, 'approval'],
  [/^payments\.get /, 'payment'],
  [/^payments\.(outstanding|corporateOutstanding) /, 'owing'],
  [/^payments\.\w+ params\.id$/, 'order'],
  [/^billing\.statementPrint /, 'statement'],
  [/^cod\.payoutPrint /, 'payout'],
  [/ params\.creditNoteId$/, 'creditNote'],
  [/^orders\.creditNotes query\.parcelId$/, 'creditedParcel'],
  [/^orders\.creditNote(Print)? /, 'creditedOrder'],
  [/^orders\.paymentSlip /, 'counterOrder'],
  [/^orders\.create /, 'draft'],
  [/^orders\.cancel body/, 'orderedParcel'],
  [/^orders\.| query\.orderId$/, 'paidOrder'],
  [/ query\.batchId$/, 'usedBatch'],
  // New rows, which have no ids yet.
  [/^bulk\.edit body\.add\[\]$/, null],
  [/^bulk\./, 'batch'],
  [/^gunny\.update body\.remove\[\]$/, 'packedNumber'],
  [/^gunny\.\w+ body\.(numbers|add)\[\]$|^parcels\.(tracks|trackno) /, 'number'],
  [/^gunny\./, 'gunny'],
  [/^parcels\.printRun/, 'printRun'],
  [/^pickups\.book /, 'fetched'],
  [/^pickups\.| query\.pickupRequestId$/, 'pickup'],
  [/^prices\.summary /, 'draft'],
  [/^parcels\.deliveryChoice/, 'undelivered'],
  [/^parcels\.(update|addToCart|takeOutOfCart|remove|change\w+) /, 'draft'],
  [/^parcels\.weighing/, 'weighed'],
  [/^carriers\.label /, 'carried'],
  [/^(parcels|carriers)\./, 'parcel'],
]

/** The kind of a field, or undefined if no line of the table matches. */
export function findKind(endpointId: string, field: string): Kind | null | undefined {
  return kinds.find(([pattern]) => pattern.test(`${endpointId} ${field}`))?.[1]
}
