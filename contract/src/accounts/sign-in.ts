/** Sign-in, registration, passwords, sessions and the user's own profile. */
import * as z from 'zod/mini'
import { signInSides } from '../ground/constants.ts'
import { endpoint } from '../ground/endpoint.ts'
import {
  accountStatusLabels,
  adminUserTypeLabels,
  memberPermissionLabels,
  staffRoleLabels,
  userTypeLabels,
} from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import {
  email,
  id,
  idParams,
  instant,
  integer,
  locale,
  nameText,
  newPassword,
  ok,
  optionalName,
  optionalText,
  otp,
  phone,
  version,
} from '../ground/fields.ts'
import { profileRequest, refreshRequest } from '../ground/session/requests.ts'
import { loginRequest, staffLoginRequest } from './sign-in-requests.ts'

/** The signed-in user, customer or staff. `permissions` are the rows of the access table that allow this caller. */
export const sessionUser = z.object({
  id,
  kind: z.enum(['customer', 'staff']),
  email: z.string(),
  name: z.string(),
  phone: z.nullable(z.string()),
  language: locale,
  /** A signed link that is valid for a quarter of an hour. */
  photoUrl: z.nullable(z.string()),
  /** False: signs in only at an identity provider. */
  hasPassword: z.boolean(),
  /** The user's own units; null: those of the deployment. */
  weightUnit: z.nullable(z.enum(['kg', 'lb'])),
  dimensionUnit: z.nullable(z.enum(['cm', 'in'])),
  status: z.enum(labelValues(accountStatusLabels)),
  account: z.nullable(
    z.object({
      id,
      /** The account number that customer and staff use. */
      number: z.string(),
      userType: z.enum(labelValues(userTypeLabels)),
      name: z.string(),
      createdAt: instant,
      status: z.enum(labelValues(accountStatusLabels)),
      isOwner: z.boolean(),
      memberPermissions: z.array(z.enum(labelValues(memberPermissionLabels))),
    }),
  ),
  staff: z.nullable(
    z.object({
      type: z.enum(labelValues(adminUserTypeLabels)),
      role: z.nullable(z.enum(labelValues(staffRoleLabels))),
      stationId: z.nullable(id),
    }),
  ),
  permissions: z.array(z.string()),
  version,
})
export type SessionUser = z.infer<typeof sessionUser>

/** `token` is a short-lived access token (bearer), `refreshToken` rotates at each use. */
export const session = z.object({ token: z.string(), refreshToken: z.string(), user: sessionUser })
export type Session = z.infer<typeof session>

export const login = endpoint({ ...loginRequest, response: session })
export const staffLogin = endpoint({ ...staffLoginRequest, response: session })

export const registration = z
  .object({
    userType: z.enum(labelValues(userTypeLabels)),
    name: nameText(120),
    email,
    phone,
    password: newPassword,
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

/**
 * The response to a request for a mailed code. `browserToken` is a secret that binds the code to the requesting
 * browser. A code without it is refused, so nobody can use, replace or void another person's code. The response is the
 * same for every address, so it does not reveal whether an account exists.
 */
export const mailedCode = z.object({
  /** The normalized email address. */
  email: z.string(),
  /** How long the code is valid: 15 minutes. */
  expiresAt: instant,
  browserToken: z.string(),
})
const browserToken = z.string().check(z.minLength(1), z.maxLength(200))
const linkToken = z.string().check(z.minLength(1), z.maxLength(200))

export const register = endpoint({
  id: 'auth.register',
  method: 'POST',
  path: '/api/customer/auth/register',
  access: 'public',
  summary: 'Registers: mails a code and a link. The response does not reveal whether the address is known',
  body: registration,
  response: mailedCode,
  perMinute: 10,
})

export const verifyRegistration = endpoint({
  id: 'auth.registerVerify',
  method: 'POST',
  path: '/api/customer/auth/register/verify',
  access: 'public',
  summary:
    'Takes the mailed code or the token of the link, and signs in. A link opened in another browser needs a new ' +
    'password',
  body: z.object({
    code: z.optional(otp),
    linkToken: z.optional(linkToken),
    /** The token that `register` returned. Required together with the code. */
    browserToken: z.optional(browserToken),
    /**
     * Replaces the password of the registration: the code proves the mailbox, but another browser may have chosen it.
     */
    password: z.optional(newPassword),
  }),
  response: session,
  perMinute: 20,
})

export const resendRegistration = endpoint({
  id: 'auth.registerResend',
  method: 'POST',
  path: '/api/customer/auth/register/resend',
  access: 'public',
  summary: 'Mails a new code to the browser that registered; throttled',
  body: z.object({ email, browserToken }),
  response: mailedCode,
  perMinute: 5,
})

export const refresh = endpoint({
  ...refreshRequest,
  body: z.object({
    refreshToken: z.string().check(z.maxLength(300)),
    /** Seconds since the last action of the user. Without it, the call itself counts as one. */
    idleSeconds: z._default(integer(0, 30 * 86_400), 0),
  }),
  response: session,
})

export const logout = endpoint({
  id: 'auth.logout',
  method: 'POST',
  path: '/api/customer/auth/logout',
  access: 'signedIn',
  summary: 'Ends this session',
  response: ok,
})

export const listSessions = endpoint({
  id: 'auth.sessions',
  method: 'GET',
  path: '/api/customer/auth/sessions',
  access: 'signedIn',
  summary: 'The devices that are signed in, at most 100, last used first',
  response: z.object({
    items: z.array(
      z.object({
        id,
        userAgent: z.nullable(z.string()),
        createdAt: instant,
        lastUsedAt: instant,
        current: z.boolean(),
      }),
    ),
  }),
})

export const endOtherSessions = endpoint({
  id: 'auth.otherSessionsEnd',
  method: 'DELETE',
  path: '/api/customer/auth/sessions',
  access: 'signedIn',
  summary: 'Signs all other devices out',
  response: ok,
})

export const endSession = endpoint({
  id: 'auth.sessionEnd',
  method: 'DELETE',
  path: '/api/customer/auth/sessions/:id',
  access: 'signedIn',
  summary: 'Signs another device out',
  params: idParams,
  response: ok,
})

export const getProfile = endpoint({ ...profileRequest, response: sessionUser })

export const putProfile = endpoint({
  id: 'auth.profilePut',
  method: 'PUT',
  path: '/api/customer/auth/profile',
  access: 'signedIn',
  summary: 'Changes name, phone and language',
  body: z.object({ name: nameText(120), phone: z.nullable(phone), language: locale, version }),
  response: sessionUser,
})

export const forgetPassword = endpoint({
  id: 'auth.forgetPassword',
  method: 'POST',
  path: '/api/customer/auth/forget-password',
  access: 'public',
  summary: 'Mails a code and a link to set a new password. The response does not reveal whether the address is known',
  body: z.object({
    email,
    /** Whose password: an address may belong to a customer and to a member of staff. */
    side: z._default(z.enum(signInSides), 'customer'),
  }),
  response: mailedCode,
  perMinute: 5,
})

export const resetPassword = endpoint({
  id: 'auth.resetPassword',
  method: 'POST',
  path: '/api/customer/auth/reset-password',
  access: 'public',
  summary: 'Sets a new password by code or link; ends every session',
  body: z.object({
    code: z.optional(otp),
    linkToken: z.optional(linkToken),
    /** The token that `forgetPassword` returned. Required together with the code. */
    browserToken: z.optional(browserToken),
    password: newPassword,
  }),
  response: ok,
  perMinute: 10,
})

export const changePassword = endpoint({
  id: 'auth.password',
  method: 'POST',
  path: '/api/customer/auth/password',
  access: 'signedIn',
  summary: 'Changes the password; ends the other sessions',
  body: z.object({ currentPassword: z.string().check(z.minLength(1), z.maxLength(200)), password: newPassword }),
  response: ok,
  perMinute: 10,
})
