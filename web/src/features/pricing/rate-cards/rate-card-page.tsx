import { Button } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { createRateCard, getRateCard, listRateCards } from '@waybill/contract/pricing/rate-cards'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { CardHeading, SheetLink } from './card-heading.tsx'
import { type CardWithLines, DraftCard } from './draft-card.tsx'
import { RateLines } from './rate-lines.tsx'

/** One version of a rate card: a draft can be edited and published, other versions can be read and copied. */
export function RateCardPage() {
  const { id } = useParams({ from: '/staff/staff/rates/$id' })
  return <Version key={id} id={id} />
}

function Version({ id }: { id: string }) {
  const { data, error, refetch } = useCall(getRateCard, { params: { id } })
  // Unsaved lines stay on the screen when someone else publishes the draft.
  const [unsaved, setUnsaved] = useState(false)
  if (!data) return error ? <ErrorPanel error={error} retry={() => void refetch()} /> : <Loading />
  if (data.state === 'draft' || unsaved) return <DraftCard card={data} onUnsaved={setUnsaved} />
  return <Published card={data} />
}

function Published({ card }: { card: CardWithLines }) {
  const t = useT()
  const navigate = useNavigate()
  const copy = useSend(() => call(createRateCard, { body: { fromId: card.id } }), {
    refresh: [listRateCards],
    onSuccess: ({ id }) => navigate({ to: '/staff/rates/$id', params: { id } }),
  })
  return (
    <>
      <CardHeading
        card={card}
        actions={
          <>
            <SheetLink card={card} />
            <Button
              variant="filled"
              leftSection={<IconCopyPlus size={18} aria-hidden />}
              loading={copy.pending}
              onClick={() => void copy.send()}
            >
              {t('ratesPage.newVersion')}
            </Button>
          </>
        }
      />
      <RateLines lines={card.lines} currency={card.currency} problems={new Map()} />
    </>
  )
}
