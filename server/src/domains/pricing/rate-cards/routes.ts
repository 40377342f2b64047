/** Routes of rate cards. */
import { userTypeLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import {
  type AccountConditions,
  createRateCard,
  exportAccountConditions,
  exportRateCards,
  getRateCard,
  listAccountConditions,
  listRateCards,
  listServices,
  publishRateCard,
  type RateCard,
  removeRateCard,
  updateCarrierRule,
  updateRateCard,
  updateService,
} from '@waybill/contract/pricing/rate-cards'
import { removeZone } from '@waybill/contract/stations/zones'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendListSheet } from '../../../http/sheets/list-sheet.ts'
import { accountsWithConditions, changeCarrierRule, changeService, listOfferedServices } from '../offered.ts'
import {
  deleteUnusedZone,
  draftRateCard,
  publishDraft,
  readRateCard,
  readRateCards,
  removeDraft,
  writeRateCard,
} from './service.ts'

/** Spreadsheets of the rate cards and of the conditions of accounts. */
function pricingSheetRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, exportRateCards, async (call) => {
    const { query, t } = call
    return sendListSheet<RateCard>(deps, call, {
      file: 'rate-cards',
      title: 'ratesPage.tab.cards',
      columns: [
        { header: t('fields.rateCardCode'), kind: 'text', width: 14, value: ({ code }) => code },
        { header: t('ratesPage.edition'), kind: 'number', value: ({ edition }) => edition },
        { header: t('fields.name'), kind: 'text', width: 28, value: ({ name }) => name },
        { header: t('fields.status'), kind: 'text', width: 12, value: ({ state }) => t(`ratesPage.state.${state}`) },
        { header: t('fields.validFrom'), kind: 'day', value: ({ validFrom }) => validFrom },
        { header: t('fields.validTo'), kind: 'day', value: ({ validTo }) => validTo },
        { header: t('fields.currency'), kind: 'text', width: 8, value: ({ currency }) => currency },
        { header: t('fields.lines'), kind: 'number', value: ({ lineCount }) => lineCount },
        {
          header: t('ratesPage.for'),
          kind: 'text',
          width: 18,
          value: ({ common, accountCount }) =>
            common ? t('ratesPage.everybody') : t('ratesPage.accounts', { count: accountCount }),
        },
      ],
      read: (window) => readRateCards(deps, { ...query, ...window, sort: '+code' }),
    })
  })
  route(app, deps, exportAccountConditions, async (call) => {
    const { query, locale, t } = call
    const amount = ({ discount }: AccountConditions, type: 'fixed' | 'percentage') =>
      discount?.type === type ? discount.value : null
    return sendListSheet<AccountConditions>(deps, call, {
      file: 'account-rates',
      title: 'ratesPage.tab.accounts',
      columns: [
        { header: t('fields.name'), kind: 'text', width: 28, value: ({ name }) => name },
        { header: t('fields.email'), kind: 'text', width: 30, value: ({ email }) => email },
        {
          header: t('fields.userType'),
          kind: 'text',
          width: 14,
          value: (row) => enumLabel(userTypeLabels, row.userType, locale),
        },
        {
          header: t('fields.rateCardCode'),
          kind: 'text',
          width: 18,
          value: ({ rateCardCode }) => rateCardCode ?? t('ratesPage.commonCard'),
        },
        {
          header: t('phrase.detail', { text: t('fields.discount'), detail: '%' }),
          kind: 'number',
          value: (row) => {
            const basisPoints = amount(row, 'percentage')
            return basisPoints === null ? null : basisPoints / 100
          },
        },
        {
          header: t('phrase.detail', { text: t('fields.discount'), detail: deps.settings.get('currency') }),
          kind: 'money',
          value: (row) => amount(row, 'fixed'),
        },
      ],
      read: (window) => accountsWithConditions(deps, { ...query, ...window, sort: '+name' }),
    })
  })
}

/** Rate cards, services, and conditions of accounts. */
export function staffPricingRoutes(app: FastifyInstance, deps: Deps): void {
  pricingSheetRoutes(app, deps)
  route(app, deps, listRateCards, ({ query }) => readRateCards(deps, query))
  route(app, deps, getRateCard, ({ params }) => readRateCard(deps, params.id))
  route(app, deps, createRateCard, ({ caller, body }) => draftRateCard(deps, staff(caller), body))
  route(app, deps, updateRateCard, ({ caller, params, body }) => writeRateCard(deps, staff(caller), params.id, body))
  route(app, deps, publishRateCard, ({ caller, params, body }) => publishDraft(deps, staff(caller), params.id, body))
  route(app, deps, removeRateCard, async ({ caller, params }) => {
    await removeDraft(deps, staff(caller), params.id)
    return { ok: true as const }
  })
  route(app, deps, removeZone, async ({ caller, params }) => {
    await deleteUnusedZone(deps, staff(caller), params.id)
    return { ok: true as const }
  })

  route(app, deps, listServices, () => listOfferedServices(deps))
  route(app, deps, updateService, ({ caller, params, body }) => changeService(deps, staff(caller), params, body))
  route(app, deps, updateCarrierRule, ({ caller, params, body }) =>
    changeCarrierRule(deps, staff(caller), params.carrier, body),
  )
  route(app, deps, listAccountConditions, ({ query }) => accountsWithConditions(deps, query))
}
