/** Sign-in at an identity provider (OpenID Connect), and the identities that are linked to a user. */
import * as z from 'zod/mini'
import { identityProviders, signInSides } from '../ground/constants.ts'
import { endpoint } from '../ground/endpoint.ts'
import { userTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import {
  email,
  id,
  idParams,
  instant,
  locale,
  nameText,
  ok,
  optionalName,
  optionalText,
  otp,
  phone,
} from '../ground/fields.ts'
import { proofFields } from './proof.ts'
import { mailedCode, session } from './sign-in.ts'
import { providerStartRequest } from './sign-in-requests.ts'

const path = '/api/customer/auth/providers'
const token = z.string().check(z.minLength(1), z.maxLength(200))
const providerParams = z.object({ provider: z.enum(identityProviders) })

/** The page of the web app to which a provider redirects. It is registered there as the redirect URI. */
export const callbackPage = '/auth/callback'

/**
 * `url` is the provider's own page. `browserToken` is a secret that binds the sign-in to this browser: the provider's
 * answer is only accepted together with it.
 */
const providerStart = z.object({ url: z.string(), browserToken: z.string() })

export const startProviderSignIn = endpoint({ ...providerStartRequest, response: providerStart })

/** A person who signed in at the provider but is not linked to a user yet. The ticket is valid for an hour. */
const newcomer = z.object({
  ticket: z.string(),
  provider: z.enum(identityProviders),
  side: z.enum(signInSides),
  /** The provider's suggestion; null: none. */
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  /** False: the address must be proven by a mailed code first. True: no user has it, so an account can be opened. */
  emailProven: z.boolean(),
})
export type Newcomer = z.infer<typeof newcomer>

/** Exactly one of the three is set. */
const signInOutcome = z.object({
  session: z.nullable(session),
  /** The identity was linked to the signed-in user. */
  connected: z.nullable(z.enum(identityProviders)),
  newcomer: z.nullable(newcomer),
})
export type SignInOutcome = z.infer<typeof signInOutcome>

export const finishProviderSignIn = endpoint({
  id: 'auth.providerCallback',
  method: 'POST',
  path: `${path}/callback`,
  access: 'public',
  summary: "Takes the provider's answer, once: signs in, connects the identity, or asks for an e-mail address",
  body: z.object({
    browserToken: token,
    /** The query of the callback page, as the provider sent it. */
    state: z.string().check(z.maxLength(200)),
    code: z.optional(z.string().check(z.maxLength(8000))),
    iss: z.optional(z.string().check(z.maxLength(2048))),
    error: z.optional(z.string().check(z.maxLength(200))),
  }),
  response: signInOutcome,
  perMinute: 30,
})

export const mailIdentityCode = endpoint({
  id: 'auth.providerEmail',
  method: 'POST',
  path: `${path}/email`,
  access: 'public',
  summary: 'Mails a code to the address of a new user. The response does not reveal whether the address is known',
  body: z.object({ ticket: token, email, language: z._default(locale, 'en') }),
  response: mailedCode,
  perMinute: 5,
})

export const proveIdentityEmail = endpoint({
  id: 'auth.providerEmailVerify',
  method: 'POST',
  path: `${path}/email/verify`,
  access: 'public',
  summary: 'Takes the mailed code: connects the identity with the user of that address, or lets an account be opened',
  body: z.object({ ticket: token, browserToken: token, code: otp }),
  response: signInOutcome,
  perMinute: 20,
})

export const identityRegistration = z
  .object({
    ticket: token,
    userType: z.enum(labelValues(userTypeLabels)),
    name: nameText(120),
    phone,
    language: z._default(locale, 'en'),
    /** Only for companies, which must send it. */
    companyName: optionalName(160),
    registrationNumber: optionalText(40),
    acceptTerms: z.literal(true),
  })
  .check(
    z.refine((form) => form.userType !== 'corporate' || form.companyName !== null, {
      path: ['companyName'],
      params: { rule: 'required' },
    }),
  )

export const registerIdentity = endpoint({
  id: 'auth.providerRegister',
  method: 'POST',
  path: `${path}/register`,
  access: 'public',
  summary: 'Opens an account without a password for a newcomer whose address is proven, and signs in',
  body: identityRegistration,
  response: session,
  perMinute: 10,
})

const identity = z.object({
  id,
  provider: z.enum(identityProviders),
  /** The person's name at the provider when the identity was linked. */
  email: z.nullable(z.string()),
  createdAt: instant,
  lastUsedAt: z.nullable(instant),
})

export const listIdentities = endpoint({
  id: 'auth.identities',
  method: 'GET',
  path: '/api/customer/auth/identities',
  access: 'signedIn',
  summary: 'The identities that are connected with the signed-in user',
  response: z.object({ items: z.array(identity) }),
})

export const startIdentityLink = endpoint({
  id: 'auth.identityLink',
  method: 'POST',
  path: '/api/customer/auth/identities/:provider/start',
  access: 'signedIn',
  summary: 'Starts to connect an identity to the signed-in user; requires proof',
  params: providerParams,
  body: z.object(proofFields),
  response: providerStart,
  perMinute: 10,
})

export const removeIdentity = endpoint({
  id: 'auth.identityRemove',
  method: 'DELETE',
  path: '/api/customer/auth/identities/:id',
  access: 'signedIn',
  summary: 'Disconnects an identity; the last way to sign in cannot be removed',
  params: idParams,
  response: ok,
})
