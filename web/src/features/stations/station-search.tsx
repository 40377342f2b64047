import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconCurrentLocation, IconSearch } from '@tabler/icons-react'
import { publicStationTypeLabels, serviceCodeLabels } from '@waybill/contract/ground/enums/enums'
import { getSelector } from '@waybill/contract/settings/settings'
import type { publicStations } from '@waybill/contract/stations/stations'
import { useState } from 'react'
import { SelectField } from '../../components/fields/select-field.tsx'
import { Grid, Row, Stack } from '../../components/layout/boxes.tsx'
import { ErrorText } from '../../components/layout/text.tsx'
import type { ListState } from '../../components/list/list-state.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useLocation } from './shared/use-location.ts'

/** Whether a place is `lat,lng`. */
export const isPoint = (place: string) => place.includes(',')

/** A number is a postcode, which has a location; other words are searched for in names and addresses. */
const isPostcode = (text: string) => /^\d{4,}$/.test(text)

type Props = {
  list: ListState<typeof publicStations>
  /** The place in the URL: a postcode, a town or `lat,lng`. */
  near: string | null
}

/** The place and the filters of the search. A filter takes effect at once; everything is in the URL. */
export function StationSearch({ list, near }: Props) {
  const t = useT()
  const choices = useChoices()
  const inUrl = list.search || (near && !isPoint(near) ? near : '')
  const [typed, setTyped] = useState({ text: inUrl, from: inUrl })
  const text = typed.from === inUrl ? typed.text : inUrl
  const states = useCall(getSelector, { params: { name: 'states' } }, { staleTime: Number.POSITIVE_INFINITY })
  const location = useLocation((point) => list.narrow({ q: undefined, near: point, sort: undefined }))
  const filter = (name: 'service' | 'type' | 'state') => ({
    ...list.filter(name),
    onChange: (value: string | null) => list.narrow({ [name]: value ?? undefined }),
  })

  function search() {
    const place = text.trim()
    const postcode = isPostcode(place)
    list.narrow({ q: postcode ? undefined : place || undefined, near: postcode ? place : undefined, sort: undefined })
  }
  return (
    <search>
      <Stack gap={12}>
        <Row
          as="form"
          gap={8}
          onSubmit={(event) => {
            event.preventDefault()
            search()
          }}
        >
          <TextInput
            flex="1 1 260px"
            maw={420}
            type="search"
            aria-label={t('stations.search')}
            placeholder={t('stations.search')}
            leftSection={<IconSearch size={18} aria-hidden />}
            maxLength={80}
            value={text}
            onChange={(event) => setTyped({ text: event.currentTarget.value, from: inUrl })}
          />
          <Button type="submit">{t('actions.search')}</Button>
          <Button
            leftSection={<IconCurrentLocation size={18} aria-hidden />}
            loading={location.locating}
            onClick={location.locate}
          >
            {t('stations.nearMe')}
          </Button>
          <Checkbox
            mx={8}
            label={t('fields.openNow')}
            checked={list.filter('openNow').value === 'true'}
            onChange={(event) => list.narrow({ openNow: event.currentTarget.checked ? 'true' : undefined })}
          />
          {(list.narrowed || text !== '') && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => {
                setTyped({ text: '', from: inUrl })
                list.clear()
              }}
            >
              {t('actions.clear')}
            </Button>
          )}
        </Row>
        <div role="status">
          {location.locating && <span className="wb-hidden">{t('stations.locating')}</span>}
          {location.problem && <ErrorText>{t(`stations.location.${location.problem}`)}</ErrorText>}
        </div>
        <Grid min={140} gap="12px 16px">
          <SelectField field={filter('service')} choices={choices(serviceCodeLabels)} />
          <SelectField field={filter('type')} choices={choices(publicStationTypeLabels)} />
          {(states.data?.items.length ?? 0) > 0 && (
            <SelectField field={filter('state')} choices={states.data?.items ?? []} />
          )}
          <SortField list={list} near={near} />
        </Grid>
      </Stack>
    </search>
  )
}

/** The order of the list. Near a place the distance is the default, otherwise the name. */
function SortField({ list, near }: Props) {
  const t = useT()
  const fields = near ? (['name', 'city', 'state'] as const) : (['city', 'state'] as const)
  const value = list.sort ? list.sort.field : ''
  return (
    <NativeSelect
      label={t('stations.sortBy')}
      value={value}
      onChange={({ currentTarget }) =>
        list.narrow({ sort: currentTarget.value === '' ? undefined : `+${currentTarget.value}` })
      }
    >
      <option value="">{t(near ? 'stations.sort.distance' : 'stations.sort.default')}</option>
      {fields.map((field) => (
        <option key={field} value={field}>
          {t(`stations.sort.${field === 'name' ? 'default' : field}`)}
        </option>
      ))}
    </NativeSelect>
  )
}
