import { Button } from '@mantine/core'
import { IconFileSpreadsheet, IconPlus } from '@tabler/icons-react'
import { scopeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import {
  exportZones,
  listZones,
  removeZone,
  type Zone,
  type ZoneArea,
  zoneNameIn,
} from '@waybill/contract/stations/zones'
import { useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { EditRowButton, RemoveRowButton } from '../../../components/list/row-buttons.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useChoices, useLabel } from '../../../lib/labels.ts'
import { useCountryName } from '../../../lib/settings/countries.ts'
import { ZoneDialog } from './zone-dialog.tsx'

const filters = ['scope'] as const

/** The areas of a zone as text: countries by name, then states and ranges. */
function useAreaWords() {
  const getCountryName = useCountryName()
  return (area: ZoneArea) => {
    if (area.postcodeFrom === null) return area.state ?? getCountryName(area.country)
    return area.postcodeFrom === area.postcodeTo ? area.postcodeFrom : `${area.postcodeFrom}–${area.postcodeTo}`
  }
}

/** Zones of the rate cards: their areas and surcharges. */
export function ZonesPage() {
  const t = useT()
  const label = useLabel()
  const choices = useChoices()
  const format = useFormat()
  const language = useLanguage()
  const words = useAreaWords()
  const list = useList(listZones, { filters })
  const [open, setOpen] = useState<Zone | 'new' | null>(null)
  const create = (
    <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen('new')}>
      {t('actions.new')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('zonesPage.title')}
        actions={
          <>
            <ButtonLink
              to="/staff/sheets/$kind"
              params={{ kind: 'zones' }}
              leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
            >
              {t('sheets.open')}
            </ButtonLink>
            {create}
          </>
        }
      />
      <DataList
        list={list}
        label={t('zonesPage.title')}
        sheet={exportZones}
        searchLabel={t('zonesPage.search')}
        filters={<SelectField field={list.filter('scope')} choices={choices(scopeLabels)} />}
        rowKey={(row: Zone) => row.id}
        rowName={(row) => zoneNameIn(row, language)}
        columns={[
          {
            id: 'code',
            header: t('zonesPage.zone'),
            sort: 'code',
            card: 'title',
            phone: 'title',
            minWidth: 248,
            phoneCell: (row) => zoneNameIn(row, language),
            cell: (row) => (
              <>
                <strong>{row.code}</strong>
                <Quiet>{zoneNameIn(row, language)}</Quiet>
              </>
            ),
          },
          {
            id: 'scope',
            header: t('fields.scope'),
            phone: 'end',
            cell: (row) => label(scopeLabels, row.scope),
          },
          {
            id: 'areas',
            header: t('fields.areas'),
            wraps: true,
            phone: 'detail',
            phoneCell: ({ areas }) => format.list(areas.map(words)),
            cell: ({ areas }) => {
              const wide = areas.filter(({ postcodeFrom }) => postcodeFrom === null)
              const ranges = areas.filter(({ postcodeFrom }) => postcodeFrom !== null)
              return (
                <div>
                  {format.list(wide.map(words))}
                  {ranges.length > 0 && (
                    <Quiet>
                      {format.list(
                        ranges.map((area) =>
                          area.remoteSurchargeMinor > 0
                            ? t('phrase.detail', {
                                text: words(area),
                                detail: `+${format.money(area.remoteSurchargeMinor)}`,
                              })
                            : words(area),
                        ),
                      )}
                    </Quiet>
                  )}
                </div>
              )
            },
          },
          {
            id: 'actions',
            kind: 'actions',
            header: t('zonesPage.actions'),
            cell: (row) => <RowActions zone={row} edit={() => setOpen(row)} />,
          },
        ]}
        empty={{ title: t('zonesPage.empty'), text: t('zonesPage.emptyText') }}
      />
      {open && <ZoneDialog zone={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </>
  )
}

function RowActions({ zone, edit }: { zone: Zone; edit: () => void }) {
  const t = useT()
  const remove = useSend(() => call(removeZone, { params: { id: zone.id } }), {
    confirm: {
      title: t('zonesPage.removeTitle', { code: zone.code }),
      message: t('zonesPage.removeText'),
      action: t('actions.remove'),
    },
    refresh: [listZones],
    success: t('zonesPage.removed', { code: zone.code }),
  })
  return (
    <Buttons as="span" style={{ flexWrap: 'nowrap' }}>
      <EditRowButton of={zone.code} onClick={edit} />
      <RemoveRowButton of={zone.code} remove={remove} />
    </Buttons>
  )
}
