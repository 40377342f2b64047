import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import {
  bannerTabs,
  exportBanners,
  listStaffBanners,
  removeBanner,
  type StaffBanner,
} from '@waybill/contract/content/banners'
import { shownBanners } from '@waybill/contract/content/content'
import { bannerKindLabels } from '@waybill/contract/ground/enums/enums'
import { useState } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, Row } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet, Tag } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { EditRowButton, RemoveRowButton } from '../../components/list/row-buttons.tsx'
import { call } from '../../lib/api.ts'
import { useFileAddress } from '../../lib/file-link.ts'
import { useFormat } from '../../lib/format.ts'
import { useLanguage, useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { BannerDialog } from './banner-dialog.tsx'

/** Whether customers do not see a banner although its period has begun: others come first. */
const isHidden = (banner: StaffBanner) => banner.state === 'on' && !banner.shown

const tones = { on: 'success', upcoming: 'waiting', over: 'neutral' } as const

/** Banners and announcements on the customers' home page. */
export function ContentPage() {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const language = useLanguage()
  const address = useFileAddress()
  const list = useList(listStaffBanners, {})
  const [edited, setEdited] = useState<StaffBanner | 'new' | null>(null)
  const stateTag = ({ state }: StaffBanner) => <Tag tone={tones[state]}>{t(`contentPage.tab.${state}`)}</Tag>
  const hiddenTag = <Tag tone="warning">{t('contentPage.notShown')}</Tag>
  const create = (
    <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
      {t('actions.new')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('contentPage.title')}
        description={t('contentPage.lead', { count: shownBanners })}
        actions={
          <>
            <ButtonLink to="/staff/content/texts">{t('contentPage.texts')}</ButtonLink>
            <DownloadExcel endpoint={exportBanners} narrowing={list.narrowing} />
            {create}
          </>
        }
      />
      <DataList
        list={list}
        label={t('contentPage.title')}
        searchLabel={t('contentPage.search')}
        tabs={bannerTabs.map((value) => ({ value, label: t(`contentPage.tab.${value}`) }))}
        rowKey={(row: StaffBanner) => row.id}
        rowName={(row) => row.title.en}
        columns={[
          {
            id: 'title',
            header: t('contentPage.banner'),
            card: 'title',
            phone: 'title',
            phoneCell: (row) => row.title[language] ?? row.title.en,
            cell: (row) => (
              <Row gap={0}>
                {row.imageUrl && (
                  <img
                    src={address(row.imageUrl)}
                    alt=""
                    width={96}
                    height={36}
                    style={{ objectFit: 'cover', marginInlineEnd: 12 }}
                  />
                )}
                <span>
                  <strong>{row.title.en}</strong>
                  <Quiet>{row.title.cn_zh ?? t('contentPage.notTranslated')}</Quiet>
                </span>
              </Row>
            ),
          },
          { id: 'kind', header: t('fields.kind'), phone: 'detail', cell: (row) => label(bannerKindLabels, row.kind) },
          {
            id: 'period',
            whole: true,
            header: t('contentPage.period'),
            phone: 'end',
            phoneCell: (row) => (isHidden(row) ? hiddenTag : stateTag(row)),
            cell: (row) => (
              <>
                <Row as="span" gap={6}>
                  {stateTag(row)}
                  {isHidden(row) && hiddenTag}
                </Row>
                <Quiet>
                  {t(row.endsOn ? 'contentPage.fromTo' : 'contentPage.fromOn', {
                    from: format.day(row.startsOn),
                    to: row.endsOn ? format.day(row.endsOn) : '',
                  })}
                </Quiet>
              </>
            ),
          },
          { id: 'position', header: t('contentPage.position'), align: 'end', cell: (row) => row.position },
          {
            id: 'actions',
            kind: 'actions',
            header: t('usersPage.actions'),
            cell: (row) => <RowActions banner={row} edit={() => setEdited(row)} />,
          },
        ]}
        empty={{ title: t('contentPage.empty') }}
      />
      {edited && <BannerDialog banner={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function RowActions({ banner, edit }: { banner: StaffBanner; edit: () => void }) {
  const t = useT()
  const title = banner.title.en
  const remove = useSend(() => call(removeBanner, { params: { id: banner.id } }), {
    confirm: {
      title: t('contentPage.removeTitle', { title }),
      message: t('contentPage.removeText'),
      action: t('actions.remove'),
    },
    refresh: [listStaffBanners],
    success: t('contentPage.removed', { title }),
  })
  return (
    <Buttons as="span" style={{ flexWrap: 'nowrap' }}>
      <EditRowButton of={title} onClick={edit} />
      <RemoveRowButton of={title} remove={remove} />
    </Buttons>
  )
}
