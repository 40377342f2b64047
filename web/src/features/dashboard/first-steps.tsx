import { Button } from '@mantine/core'
import { getDashboard, type FirstSteps as Steps } from '@waybill/contract/dashboard/dashboard'
import { lazy, type ReactNode, useState } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { StepMark } from '../../components/display/step-mark.tsx'
import { LazyPart } from '../../components/feedback/lazy-part.tsx'
import { Panel } from '../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import { useRefresh } from '../../lib/query.ts'
import { useMay, useSession } from '../../lib/session.ts'
import classes from './dashboard.module.css'

const SenderDialog = lazy(async () => ({
  default: (await import('../addresses/shared/address-dialog.tsx')).AddressDialog,
}))

/** In the usual order. None depends on another, except printing on a parcel. */
const order = ['address', 'funds', 'parcel', 'note'] as const

/** The first steps of a new account until its first parcel is ready. The server marks each completed step. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const t = useT()
  const refresh = useRefresh()
  const user = useSession((state) => state.auth.user)
  const mayAdd = useMay('addresses')
  const mayTopUp = useMay('wallet')
  const mayCreate = useMay('parcels.create')
  const [addsSender, setAddsSender] = useState(false)
  const next = order.find((name) => !steps[name] && (name !== 'note' || steps.parcel))
  const variant = (name: keyof Steps) => (name === next ? 'filled' : 'default')
  const actions: Record<keyof Steps, ReactNode> = {
    address: mayAdd && (
      <Button variant={variant('address')} onClick={() => setAddsSender(true)}>
        {t('firstSteps.action.address')}
      </Button>
    ),
    funds: mayTopUp && <ButtonLink to="/wallet/top-up">{t('firstSteps.action.funds')}</ButtonLink>,
    parcel: mayCreate && (
      <ButtonLink to="/parcels/new" variant={steps.address ? 'filled' : 'default'}>
        {t('firstSteps.action.parcel')}
      </ButtonLink>
    ),
    note: steps.parcel && (
      <ButtonLink to="/parcels" search={{ tab: 'to_hand_over' }} variant={variant('note')}>
        {t('firstSteps.action.note')}
      </ButtonLink>
    ),
  }
  return (
    <Panel title={t('firstSteps.title')} aria-label={t('firstSteps.title')} gap={4} style={{ marginBlockEnd: 24 }}>
      <Note>{t('firstSteps.help')}</Note>
      <ol className={classes.steps}>
        {order.map((name, index) => (
          <li key={name} data-done={steps[name]}>
            <StepMark number={index + 1} state={steps[name] ? 'done' : 'todo'} />
            <div>
              <strong>{t(`firstSteps.step.${name}`)}</strong>
              {steps[name] && <span className="wb-hidden"> {t('firstSteps.done')}</span>}
              {!steps[name] && <Quiet as="p">{t(`firstSteps.why.${name}`)}</Quiet>}
            </div>
            {!steps[name] && actions[name]}
          </li>
        ))}
      </ol>
      {addsSender && (
        <LazyPart onClose={() => setAddsSender(false)}>
          <SenderDialog
            address={null}
            ownSender={{ contactName: user?.name ?? '', phone: user?.phone ?? '' }}
            onClose={() => {
              setAddsSender(false)
              void refresh(getDashboard)
            }}
          />
        </LazyPart>
      )}
    </Panel>
  )
}
