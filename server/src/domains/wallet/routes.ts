/** Routes of the wallet. */
import { getWalletPreferences, setWalletPreferences, walletStatement } from '@waybill/contract/wallet/preferences'
import {
  changePin,
  changePinVerify,
  exportWalletHistory,
  forgetPin,
  forgetPinVerify,
  getWallet,
  type Movement,
  sendOtp,
  setPin,
  verifyOtp,
  verifyPin,
  walletHistory,
} from '@waybill/contract/wallet/wallet'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { contentDisposition, sheetMediaTypes } from '../../lib/sheet/write.ts'
import { changeWalletPreferences, readWalletPreferences } from './preferences.ts'
import {
  beginPinChange,
  checkPin,
  exchangePinCode,
  listWalletHistory,
  mailForgetCode,
  mailSetCode,
  readWallet,
  replaceForgottenOrOld,
  setFirstPin,
} from './service.ts'
import { getStatement } from './statement.ts'

/** Routes of balance, movements and PIN. Top-ups are payments, and their routes are there. */
export function walletRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getWallet, async ({ caller }) => readWallet(deps, customer(caller).accountId))
  route(app, deps, walletHistory, async ({ caller, query }) =>
    listWalletHistory(deps, customer(caller).accountId, query),
  )
  route(app, deps, exportWalletHistory, async (call) => {
    const { caller, query, t } = call
    const credits = (header: string) =>
      t('phrase.detail', { text: header, detail: deps.settings.get('wallet.creditLabel') })
    return sendListSheet<Movement>(deps, call, {
      file: 'wallet',
      title: 'walletPage.title',
      columns: [
        { header: t('walletPage.at'), kind: 'time', value: ({ at }) => new Date(at) },
        { header: t('walletPage.kind'), kind: 'text', width: 24, value: ({ kind }) => t(`movement.${kind}`) },
        { header: t('statement.reference'), kind: 'text', width: 24, value: ({ reference }) => reference },
        { header: credits(t('walletPage.amount')), kind: 'money', value: ({ amountMinor }) => amountMinor },
        { header: credits(t('walletPage.balanceAfter')), kind: 'money', value: (row) => row.balanceAfterMinor },
      ],
      read: (window) => listWalletHistory(deps, customer(caller).accountId, { ...query, ...window, sort: '+at' }),
    })
  })
  route(app, deps, walletStatement, async ({ caller, query, locale, t, reply }) => {
    const { name, file } = await getStatement(deps, customer(caller), query, { locale, t })
    if (query.format !== 'pdf') reply.type(sheetMediaTypes[query.format])
    reply.header('content-disposition', contentDisposition(name))
    return file
  })
  route(app, deps, getWalletPreferences, async ({ caller }) => readWalletPreferences(deps, customer(caller).accountId))
  route(app, deps, setWalletPreferences, async ({ caller, body }) =>
    changeWalletPreferences(deps, customer(caller), body),
  )
  route(app, deps, sendOtp, async ({ caller }) => mailSetCode(deps, customer(caller)))
  route(app, deps, verifyOtp, async ({ caller, body }) => exchangePinCode(deps, customer(caller), body.otp))
  route(app, deps, setPin, async ({ caller, body }) => setFirstPin(deps, customer(caller), body))
  route(app, deps, verifyPin, async ({ caller, body }) => {
    await checkPin(deps, customer(caller).accountId, body.pin)
    return { ok: true as const }
  })
  route(app, deps, changePin, async ({ caller, body }) => beginPinChange(deps, customer(caller), body.pin))
  route(app, deps, changePinVerify, async ({ caller, body }) =>
    replaceForgottenOrOld(deps, customer(caller), 'wallet_pin_change', body),
  )
  route(app, deps, forgetPin, async ({ caller }) => mailForgetCode(deps, customer(caller)))
  route(app, deps, forgetPinVerify, async ({ caller, body }) =>
    replaceForgottenOrOld(deps, customer(caller), 'wallet_pin_forget', body),
  )
}
