/** The setup of a new deployment: what is still missing before the first parcel can be sent. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { day, email } from '../ground/fields.ts'

/** In the recommended order. */
export const setupSteps = ['company', 'money', 'mail', 'legal', 'stations', 'zones', 'rates', 'carriers'] as const
export type SetupStep = (typeof setupSteps)[number]

/** Steps whose defaults are usable: done when somebody has confirmed that the values are right. */
export const confirmedSteps = ['company', 'money'] as const
export type ConfirmedStep = (typeof confirmedSteps)[number]

/** What is missing in a step, a key of the texts under `setupPage.missing`. */
export const setupGaps = [
  'address',
  'registrationNumber',
  'taxNumber',
  'confirmation',
  'mailTest',
  'terms',
  'privacy',
  'contact',
  'station',
  'acceptingStation',
  'deliveringStation',
  'zone',
  'rateCard',
  'publishedCard',
  'openService',
] as const
export type SetupGap = (typeof setupGaps)[number]

const setupState = z.object({
  /** Whether every step that is not optional is done. */
  complete: z.boolean(),
  /** The first day with prices, if the deployment is complete. */
  readyFrom: z.nullable(day),
  steps: z.array(
    z.object({
      id: z.enum(setupSteps),
      state: z.enum(['done', 'missing', 'optional']),
      gaps: z.array(z.enum(setupGaps)),
    }),
  ),
  company: z.object({
    name: z.string(),
    address: z.string(),
    registrationNumber: z.nullable(z.string()),
    taxNumber: z.nullable(z.string()),
  }),
  money: z.object({
    currency: z.string(),
    taxBasisPoints: z.number(),
    internationalTaxBasisPoints: z.number(),
    fuelBasisPoints: z.number(),
    pickupFeeMinor: z.number(),
  }),
  /** The sender address of mails. */
  mailFrom: z.string(),
  carriers: z.array(z.object({ carrier: z.enum(labelValues(carrierLabels)), configured: z.boolean() })),
})
export type SetupState = z.output<typeof setupState>

const path = '/api/staff/setup'

export const getSetup = endpoint({
  id: 'staff.setup',
  method: 'GET',
  path,
  access: 'staff.setup',
  summary: 'What a new deployment still needs before the first parcel can be sent',
  response: setupState,
})

export const confirmSetupStep = endpoint({
  id: 'staff.setupConfirm',
  method: 'POST',
  path: `${path}/confirm`,
  access: 'staff.setup',
  summary: 'Confirms the values of a set-up step; only the superadmin may confirm money settings',
  body: z.object({ step: z.enum(confirmedSteps) }),
  response: setupState,
})

/** Why a mail server did not accept a mail. */
export const mailTroubles = ['login', 'unreachable', 'timeout', 'tls', 'sender', 'recipient', 'other'] as const
export type MailTrouble = (typeof mailTroubles)[number]

export const sendTestMail = endpoint({
  id: 'staff.mailTest',
  method: 'POST',
  path: '/api/staff/mail-test',
  access: 'staff.system',
  summary: 'Sends a test mail to the caller with the current mail settings, and returns the mail server’s response',
  perMinute: 10,
  response: z.object({
    to: email,
    /** Null: the mail server accepted it. */
    trouble: z.nullable(z.enum(mailTroubles)),
    /** The mail server's own message, if there is one. */
    answer: z.nullable(z.string()),
  }),
})
