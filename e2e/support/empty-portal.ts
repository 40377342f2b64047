import type { APIRequestContext } from '@playwright/test'
import { type Mailbox, startMailbox } from '../../server/src/demo/peers/mailbox/mailbox.ts'
import { type Api, callAs } from './api.ts'
import { runCommand, startServer } from './server.ts'
import { password } from './steps.ts'

/** The first user of an empty portal. */
export const superadmin = { name: 'Siti Zaharah', email: 'boss@kurier.test' }

/** A separate deployment without demo data. It is ready in a fifth of the time that a demo takes. */
export type EmptyPortal = {
  url: string
  mailbox: Mailbox
  /** Runs the command that creates the superadmin and mails the link to choose a password. */
  createSuperadmin: () => Promise<void>
  /** The link to choose a password, from the newest mail to an address. */
  linkTo: (email: string) => Promise<string>
  stop: () => Promise<void>
}

export async function startEmptyPortal(): Promise<EmptyPortal> {
  const mailbox = await startMailbox()
  const server = await startServer({ DEMO: 'off', SMTP_URL: mailbox.url })
  return {
    url: server.url,
    mailbox,
    createSuperadmin: () =>
      runCommand('server/src/superadmin.ts', ['--email', superadmin.email, '--name', superadmin.name], server),
    linkTo: async (email) => {
      const mail = await mailbox.waitFor((each) => each.to.includes(email) && each.text.includes('?token='))
      return /https?:\S+\?token=\S+/.exec(mail.text)?.[0] ?? ''
    },
    stop: async () => {
      await server.stop()
      await mailbox.stop()
    },
  }
}

/** Creates the superadmin and signs in. */
export async function signInSuperadmin(request: APIRequestContext, portal: EmptyPortal): Promise<Api> {
  await portal.createSuperadmin()
  return signInStaff(request, portal, superadmin.email)
}

/** Chooses the password `password` by the mailed link, and signs in through the API. */
export async function signInStaff(request: APIRequestContext, portal: EmptyPortal, email: string): Promise<Api> {
  const asNobody = callAs(request, null, portal.url)
  const linkToken = new URL(await portal.linkTo(email)).searchParams.get('token')
  await asNobody.post('/api/customer/auth/reset-password', { linkToken, password })
  const login = { email, password }
  const { token } = await asNobody.post<{ token: string }>('/api/staff/auth/login', login)
  return callAs(request, token, portal.url)
}
