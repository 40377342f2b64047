/** Error codes and the body of an error response. */
import * as z from 'zod/mini'

/**
 * Every error code with its HTTP status. The code is the translation key as well: `errors.<code>` in the locale files.
 * 400 malformed, 401 no session, 403 not allowed, 404 not there or not yours, 409 state or version conflict, 413/415
 * uploads, 422 rule broken, 408 and 431 a slow or swollen request, 429 too many, 503 a dependency is down
 * (docs/rules/conventions.md).
 */
export const errorStatus = {
  malformed: 400,
  unauthorized: 401,
  session_expired: 401,
  wrong_credentials: 401,
  second_factor: 401,
  sign_in_again: 401,
  forbidden: 403,
  account_suspended: 403,
  account_blocked: 403,
  view_only: 403,
  not_found: 404,
  conflict: 409,
  version_conflict: 409,
  idempotency_conflict: 409,
  request_timeout: 408,
  too_large: 413,
  unsupported_media: 415,
  validation: 422,
  too_many_requests: 429,
  upload_quota: 429,
  print_quota: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  // accounts
  email_taken: 422,
  member_is_owner: 422,
  member_is_you: 422,
  member_rights: 422,
  member_blocked: 409,
  code_wrong: 422,
  code_expired: 422,
  code_used: 422,
  code_void: 422,
  password_common: 422,
  password_needed: 422,
  password_wrong: 422,
  link_invalid: 422,
  factor_code_wrong: 422,
  user_rank: 403,
  user_is_you: 422,
  last_superadmin: 422,
  invitation_accepted: 409,
  account_not_viewable: 409,
  note_not_yours: 403,
  ownership_offer_open: 409,
  ownership_offer_over: 409,
  ownership_member: 422,
  // addresses and stations
  postcode_unknown: 422,
  phone_invalid: 422,
  city_mismatch: 422,
  // pricing
  weight_over_limit: 422,
  not_covered: 422,
  service_closed: 422,
  price_changed: 409,
  zone_in_use: 409,
  rate_card_published: 409,
  rate_card_draft_exists: 409,
  // parcels
  tracking_number_slip: 422,
  tracking_number_format: 422,
  tracking_number_postal: 422,
  parcel_unknown: 404,
  transition_forbidden: 409,
  cancel_after_hand_over: 409,
  recall_while_delivering: 409,
  return_window_over: 409,
  parcel_incomplete: 422,
  prohibited_content: 422,
  address_contradiction: 422,
  parcels_refused: 422,
  parcel_identical: 409,
  // spreadsheets
  file_not_a_sheet: 415,
  file_old_excel: 415,
  file_encrypted: 415,
  file_broken: 422,
  file_empty: 422,
  file_no_rows: 422,
  file_too_many_rows: 413,
  file_too_large: 413,
  file_too_heavy: 413,
  file_unreadable: 422,
  bulk_not_ready: 409,
  bulk_no_sender: 422,
  bulk_nothing_good: 422,
  wrong_station: 409,
  custody_take_over: 409,
  custody_refused: 409,
  report_not_yours: 403,
  attempts_used: 409,
  proof_required: 422,
  cod_required: 422,
  undo_too_late: 409,
  undo_impossible: 409,
  // pickups and deliveries
  task_forbidden: 409,
  task_taken: 409,
  task_other_station: 403,
  pickup_missing: 409,
  pickup_empty: 409,
  pickup_foreign: 409,
  pickup_full: 409,
  parcel_on_pickup: 409,
  // gunnies
  gunny_unknown: 404,
  gunny_number_slip: 422,
  gunny_state: 409,
  seal_differs: 409,
  artwork_state: 409,
  // orders and payments
  cart_empty: 422,
  mixed_tab: 422,
  order_closed: 409,
  approval_needed: 422,
  approval_not_needed: 422,
  approval_pending: 409,
  approval_decided: 409,
  approval_own: 422,
  pickup_missed: 409,
  order_expired: 409,
  checkout_running: 409,
  payment_method_closed: 422,
  amount_out_of_range: 422,
  // attachments
  attachment_in_use: 409,
  // after the hand-over
  contest_over: 409,
  /** The reading is far from the declared weight and must be confirmed. */
  weight_far_off: 422,
  already_chosen: 409,
  choice_closed: 422,
  order_not_whole: 422,
  nothing_due: 409,
  // cash and what recipients paid
  no_station: 409,
  drawer_not_open: 409,
  drawer_day_over: 409,
  drawer_open: 409,
  drawer_closed_today: 409,
  drawer_too_low: 409,
  cash_short: 422,
  hand_in_own: 422,
  cod_nothing_owed: 409,
  // wallet
  wallet_too_low: 422,
  pin_not_set: 422,
  pin_wrong: 422,
  pin_locked: 429,
  pin_weak: 422,
  month_not_over: 422,
  gateway_refused: 422,
  // the customer's own programs
  too_many_keys: 409,
  key_limit: 422,
  too_many_webhooks: 409,
  webhook_stopped: 409,
} as const

export type ErrorCode = keyof typeof errorStatus

export const fieldError = z.object({ field: z.string(), message: z.string() })
export type FieldError = z.infer<typeof fieldError>

/**
 * The body of every error response. `details` carries values that a screen needs, such as both totals of
 * `price_changed`.
 */
export const errorBody = z.object({
  statusCode: z.number(),
  code: z.string(),
  message: z.string(),
  errors: z.optional(z.array(fieldError)),
  details: z.optional(z.record(z.string(), z.unknown())),
})
export type ErrorBody = z.infer<typeof errorBody>
