import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { constants } from '@waybill/contract/ground/constants'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { createGunny, listGunnies } from '@waybill/contract/parcels/gunny'
import { listParcels } from '@waybill/contract/parcels/list'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
import { OnlyFor } from '../../../components/access/only-for.tsx'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Columns, Panel, Row } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Mono, Note, Notice, Quiet } from '../../../components/layout/text.tsx'
import { errorMessage } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'
import classes from './gunny.module.css'
import { GunnyField, problemsByNumber } from './gunny-field.tsx'
import { PackedRow } from './packed-row.tsx'

/** The maximum number of waiting parcels to select from; others can be scanned. */
const waitingLimit = 200

/** Packs a gunny: numbers are scanned, pasted or selected. A problem is shown next to its number. */
export function PackGunnyPage() {
  const t = useT()
  return (
    <OnlyFor rule="parcels.create" title={t('gunnyPage.newTitle')}>
      <PackGunny />
    </OnlyFor>
  )
}

function PackGunny() {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  // A reload or another page must not lose a list of many parcels.
  const [numbers, setNumbers] = useKept<readonly string[]>('gunny-pack', [])
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [seal, setSeal] = useKept('gunny-pack-seal', '')
  const callOnce = useCallOnce()
  const waiting = useCall(listParcels, {
    query: { status: 'pending_dropoff', limit: waitingLimit, sort: '-createdAt' },
  })
  const parcels = new Map(waiting.data?.items.map((parcel) => [parcel.trackingNumber ?? '', parcel]))
  // Parcels in another open gunny are not offered.
  const available = [...parcels.values()].filter(
    ({ trackingNumber, gunnyId }) => gunnyId === null && !numbers.includes(trackingNumber ?? ''),
  )

  function add(entries: readonly string[]) {
    const fresh = entries.map(normalizeTrackingNumber).filter((number) => number !== '')
    setNumbers((before) => [...new Set([...before, ...fresh])])
  }
  function remove(number: string) {
    setNumbers((before) => before.filter((each) => each !== number))
    setProblems(({ [number]: _gone, ...rest }) => rest)
  }

  const create = useSend(() => callOnce(createGunny, { body: { numbers: [...numbers], sealNumber: seal } }), {
    refresh: [listGunnies, listParcels],
    success: ({ number }) => t('gunnyPage.created', { number: format.trackingNumber(number) }),
    onSuccess: ({ id }) => {
      // A number that was scanned meanwhile stays.
      setNumbers((present) => present.filter((each) => !numbers.includes(each)))
      setSeal('')
      return navigate({ to: '/gunny/$id', params: { id } })
    },
    onError: (error) => {
      const marked = problemsByNumber(error, 'numbers', numbers)
      setProblems(Object.fromEntries(marked))
      refuse(marked.size > 0 ? (error as Error).message : errorMessage(error))
      return true
    },
  })
  /** Not in a dialog: the customer may be scanning the next parcel. */
  function refuse(text: string) {
    beep(false)
    setRefusal(text)
  }
  function pack() {
    setRefusal(null)
    if (numbers.length > 0) void create.send()
    else refuse(t('gunnyPage.empty'))
  }

  return (
    <>
      <PageHeader title={t('gunnyPage.newTitle')} description={t('gunnyPage.intro')} />
      <Columns template="minmax(0, 1fr) minmax(0, 1fr)">
        <Panel aria-label={t('gunnyPage.inGunny', { count: numbers.length })}>
          <GunnyField onScan={add} />
          <h2>
            <span role="status">{t('gunnyPage.inGunny', { count: numbers.length })}</span>
          </h2>
          {numbers.length === 0 ? (
            <Note>{t('gunnyPage.empty')}</Note>
          ) : (
            <ul className={classes.rows}>
              {numbers.map((number) => (
                <PackedRow
                  key={number}
                  number={number}
                  receiver={parcels.get(number)?.receiver?.contactName ?? null}
                  problem={problems[number]}
                  onRemove={() => remove(number)}
                />
              ))}
            </ul>
          )}
          <TextInput
            label={t('fields.sealNumber')}
            description={t('gunnyPage.sealHelp')}
            value={seal}
            maxLength={40}
            onChange={(event) => setSeal(event.currentTarget.value)}
          />
          {refusal && (
            <Notice tone="danger" role="alert">
              {refusal}
            </Notice>
          )}
          <Buttons>
            <Button variant={numbers.length > 0 ? 'filled' : 'default'} loading={create.pending} onClick={pack}>
              {t('gunnyPage.create')}
            </Button>
          </Buttons>
        </Panel>
        <Panel aria-label={t('gunnyPage.waiting')}>
          <Row justify="between">
            <h2>{t('gunnyPage.waiting')}</h2>
            {available.length > 0 && (
              <Button size="sm" onClick={() => add(available.flatMap(({ trackingNumber }) => trackingNumber ?? []))}>
                {t('gunnyPage.addAll')}
              </Button>
            )}
          </Row>
          {waiting.error ? (
            <ErrorPanel error={waiting.error} retry={() => void waiting.refetch()} />
          ) : waiting.isPending ? (
            <Loading />
          ) : available.length === 0 ? (
            <NoneAvailable parcels={[...parcels.values()]} />
          ) : (
            <ul className={classes.rows}>
              {available.map((parcel) => (
                <li key={parcel.id} className={classes.row}>
                  <Mono>{format.trackingNumber(parcel.trackingNumber ?? '')}</Mono>
                  <span className={classes.who}>
                    {parcel.receiver?.contactName}
                    <Quiet>{parcel.receiver?.city}</Quiet>
                  </span>
                  <Button
                    size="sm"
                    aria-label={`${t('gunnyPage.addNumber')} ${parcel.trackingNumber ?? ''}`}
                    onClick={() => add([parcel.trackingNumber ?? ''])}
                  >
                    {t('gunnyPage.addNumber')}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </Columns>
    </>
  )
}

/** Why no waiting parcel is offered: there is none, or all are in this list or in other gunnies, which are linked. */
function NoneAvailable({ parcels }: { parcels: readonly Pick<Parcel, 'gunnyId'>[] }) {
  const t = useT()
  const format = useFormat()
  const elsewhere = parcels.filter(({ gunnyId }) => gunnyId !== null)
  const query = { status: 'open', limit: constants.maximumPageSize } as const
  const gunnies = useCall(listGunnies, { query }, { enabled: elsewhere.length > 0 })
  if (elsewhere.length === 0)
    return <Note>{t(parcels.length > 0 ? 'gunnyPage.waitingPacked' : 'gunnyPage.waitingNone')}</Note>
  const ids = new Set(elsewhere.map(({ gunnyId }) => gunnyId))
  return (
    <>
      <Note>{t('gunnyPage.waitingElsewhere', { count: elsewhere.length })}</Note>
      <Row>
        {gunnies.data?.items
          .filter(({ id }) => ids.has(id))
          .map(({ id, number }) => (
            <TextLink key={id} to="/gunny/$id" params={{ id }} ff="monospace">
              {format.trackingNumber(number)}
            </TextLink>
          ))}
      </Row>
    </>
  )
}
