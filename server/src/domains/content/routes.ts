/** Routes of content. */
import {
  createBanner,
  exportBanners,
  getBanner,
  listStaffBanners,
  removeBanner,
  type StaffBanner,
  updateBanner,
} from '@waybill/contract/content/banners'
import { listBanners } from '@waybill/contract/content/content'
import { bannerKindLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { addBanner, changeBanner, dropBanner, readBanner, readBanners } from './manage-banners.ts'
import { bannersNow } from './service.ts'

/** Public banners of the portal. */
export function contentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listBanners, async ({ locale, reply }) => {
    const answer = await bannersNow(deps, locale)
    // A banner may start a minute late. Caches must separate the languages.
    reply.header('cache-control', 'public, max-age=60').header('vary', 'accept-language')
    return answer
  })
}

/** Banner routes for staff. */
export function staffContentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listStaffBanners, async ({ query }) => readBanners(deps, query))
  route(app, deps, exportBanners, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<StaffBanner>(deps, call, {
      file: 'banners',
      title: 'contentPage.title',
      columns: [
        { header: t('contentPage.titleEn'), kind: 'text', width: 36, value: ({ title }) => title.en },
        { header: t('contentPage.titleZh'), kind: 'text', width: 36, value: ({ title }) => title.cn_zh },
        { header: t('contentPage.bodyEn'), kind: 'text', width: 48, value: ({ body }) => body.en },
        { header: t('contentPage.bodyZh'), kind: 'text', width: 48, value: ({ body }) => body.cn_zh },
        {
          header: t('fields.kind'),
          kind: 'text',
          width: 16,
          value: ({ kind }) => enumLabel(bannerKindLabels, kind, locale),
        },
        { header: t('contentPage.link'), kind: 'text', width: 36, value: ({ linkUrl }) => linkUrl },
        { header: t('contentPage.startsOn'), kind: 'day', value: ({ startsOn }) => startsOn },
        { header: t('contentPage.endsOn'), kind: 'day', value: ({ endsOn }) => endsOn },
        { header: t('contentPage.position'), kind: 'number', value: ({ position }) => position },
        { header: t('fields.status'), kind: 'text', width: 12, value: ({ state }) => t(`contentPage.tab.${state}`) },
      ],
      read: (window) => readBanners(deps, { ...query, ...window, before: undefined }),
    })
  })
  route(app, deps, getBanner, async ({ params }) => readBanner(deps, params.id))
  route(app, deps, createBanner, async ({ caller, body }) => addBanner(deps, staff(caller), body))
  route(app, deps, updateBanner, async ({ caller, params, body }) => changeBanner(deps, staff(caller), params.id, body))
  route(app, deps, removeBanner, async ({ caller, params }) => {
    await dropBanner(deps, staff(caller), params.id)
    return { ok: true } as const
  })
}
