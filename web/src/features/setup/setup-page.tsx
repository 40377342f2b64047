import { Button } from '@mantine/core'
import type { AccessRule } from '@waybill/contract/ground/access'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import type { Look } from '@waybill/contract/ground/status/status-look'
import {
  type ConfirmedStep,
  confirmSetupStep,
  getSetup,
  type SetupState,
  type SetupStep,
} from '@waybill/contract/setup/setup'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, CardList, Row, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Note, Notice } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { MailTest } from './shared/mail-test.tsx'

const looks = {
  done: { tone: 'success', icon: 'check' },
  missing: { tone: 'waiting', icon: 'clock' },
  optional: { tone: 'neutral', icon: 'clock' },
} as const satisfies Record<string, Look>

/** What a new deployment still needs before the first parcel, with one button for each step. */
export function SetupPage() {
  const t = useT()
  const { data, error, refetch } = useCall(getSetup, {}, { staleTime: 0 })
  return (
    <>
      <PageHeader title={t('setupPage.title')} description={t('setupPage.description')} />
      {error ? (
        <ErrorPanel error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : (
        <Stack gap={24} style={{ maxWidth: 840 }}>
          <Summary setup={data} />
          <CardList as="ol">
            {data.steps.map((step) => (
              <Step key={step.id} step={step} setup={data} />
            ))}
          </CardList>
        </Stack>
      )}
    </>
  )
}

/** One sentence: when parcels can be sent, or what is still missing. */
function Summary({ setup: { complete, readyFrom, steps } }: { setup: SetupState }) {
  const t = useT()
  const format = useFormat()
  const names = steps.flatMap(({ id, state }) => (state === 'missing' ? [t(`setupPage.step.${id}`)] : []))
  if (!complete) {
    return (
      <Notice tone="warning">
        {t('setupPage.open', {
          count: names.length,
          names: format.list(names),
        })}
      </Notice>
    )
  }
  const later = readyFrom !== null && readyFrom > format.today()
  return (
    <Notice tone="success">
      {later ? t('setupPage.readyFrom', { day: format.day(readyFrom) }) : t('setupPage.ready')}
    </Notice>
  )
}

/** The right that a step's screen needs. */
const stepAccess: Record<SetupStep, AccessRule> = {
  company: 'staff.settings',
  money: 'staff.system',
  mail: 'staff.system',
  legal: 'staff.content',
  stations: 'staff.stations',
  zones: 'staff.rates',
  rates: 'staff.rates',
  carriers: 'staff.operate',
}

type StepProps = { step: SetupState['steps'][number]; setup: SetupState }

function Step({ step: { id, state, gaps }, setup }: StepProps) {
  const t = useT()
  const may = useMay(stepAccess[id])
  return (
    <Stack as="li" gap={12} aria-labelledby={`setup-${id}`}>
      <Row justify="between" align="start">
        <h2 id={`setup-${id}`} style={{ margin: 0 }}>
          {t(`setupPage.step.${id}`)}
        </h2>
        <StatusPill look={looks[state]} label={t(`setupPage.state.${state}`)} />
      </Row>
      <Note>{t(`setupPage.about.${id}`)}</Note>
      <Values id={id} setup={setup} />
      {gaps.length > 0 && (
        <ul>
          {gaps.map((gap) => (
            <li key={gap}>{t(`setupPage.missing.${gap}`)}</li>
          ))}
        </ul>
      )}
      {may ? <Action id={id} state={state} gaps={gaps} /> : <Note>{t('setupPage.superadminOnly')}</Note>}
    </Stack>
  )
}

/** The values that somebody has to confirm. */
function Values({ id, setup: { company, money, mailFrom, carriers } }: { id: SetupStep; setup: SetupState }) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const percent = (basisPoints: number) => `${format.number(basisPoints / 100)} %`
  const facts: Partial<Record<SetupStep, ReactNode>> = {
    company: (
      <>
        <Fact label={t('fields.companyName')}>{company.name}</Fact>
        <Fact label={t('fields.address')}>
          <span style={{ whiteSpace: 'pre-line' }}>{company.address}</span>
        </Fact>
        <Fact label={t('fields.registrationNumber')}>{company.registrationNumber}</Fact>
        <Fact label={t('fields.taxNumber')}>{company.taxNumber}</Fact>
      </>
    ),
    money: (
      <>
        <Fact label={t('fields.currency')}>{money.currency}</Fact>
        <Fact label={t('fields.taxBasisPoints')}>{percent(money.taxBasisPoints)}</Fact>
        <Fact label={t('fields.internationalTaxBasisPoints')}>{percent(money.internationalTaxBasisPoints)}</Fact>
        <Fact label={t('fields.fuelBasisPoints')}>{percent(money.fuelBasisPoints)}</Fact>
        <Fact label={t('fields.pickupFeeMinor')}>{format.money(money.pickupFeeMinor, money.currency)}</Fact>
      </>
    ),
    mail: <Fact label={t('setupPage.sender')}>{mailFrom}</Fact>,
    carriers: carriers.map(({ carrier, configured }) => (
      <Fact key={carrier} label={label(carrierLabels, carrier)}>
        {t(configured ? 'setupPage.configured' : 'setupPage.notConfigured')}
      </Fact>
    )),
  }
  return facts[id] ? <Facts>{facts[id]}</Facts> : null
}

function Action({ id, state, gaps }: { id: SetupStep; state: StepProps['step']['state']; gaps: readonly string[] }) {
  const t = useT()
  const words = t(`setupPage.go.${id}`)
  const variant = state === 'missing' ? 'filled' : 'default'
  switch (id) {
    case 'company':
    case 'money':
      return <SettingsAction step={id} gaps={gaps} />
    case 'mail':
      return (
        <MailTest variant="filled">
          <ButtonLink to="/staff/settings" search={{ part: 'access' }}>
            {words}
          </ButtonLink>
        </MailTest>
      )
    case 'legal':
      return (
        <Buttons>
          <ButtonLink to="/staff/settings" search={{ part: 'company' }}>
            {t('setupPage.goContact')}
          </ButtonLink>
          <ButtonLink to="/staff/content/texts" variant={variant}>
            {words}
          </ButtonLink>
        </Buttons>
      )
    case 'stations':
      return (
        <Buttons>
          <ButtonLink to="/staff/stations" variant={variant}>
            {words}
          </ButtonLink>
        </Buttons>
      )
    case 'zones':
      return (
        <Buttons>
          <ButtonLink to="/staff/zones" variant={variant}>
            {words}
          </ButtonLink>
        </Buttons>
      )
    case 'rates':
      return (
        <Buttons>
          <ButtonLink
            to="/staff/rates"
            search={{ view: gaps.includes('openService') ? 'services' : 'cards' }}
            variant={variant}
          >
            {words}
          </ButtonLink>
        </Buttons>
      )
    case 'carriers':
      return (
        <Buttons>
          <ButtonLink to="/staff/carriers">{words}</ButtonLink>
        </Buttons>
      )
  }
}

/** A link to the settings, and once nothing else is missing, a button that confirms them. */
function SettingsAction({ step, gaps }: { step: ConfirmedStep; gaps: readonly string[] }) {
  const t = useT()
  const confirm = useSend(() => call(confirmSetupStep, { body: { step } }), {
    refresh: [getSetup],
    success: t('setupPage.confirmed', { step: t(`setupPage.step.${step}`) }),
  })
  const onlyConfirmation = gaps.length === 1 && gaps[0] === 'confirmation'
  return (
    <Buttons>
      <ButtonLink
        to="/staff/settings"
        search={{ part: step === 'company' ? 'company' : 'fees' }}
        variant={gaps.length > 0 && !onlyConfirmation ? 'filled' : 'default'}
      >
        {t(`setupPage.go.${step}`)}
      </ButtonLink>
      {onlyConfirmation && (
        <Button variant="filled" loading={confirm.pending} onClick={() => void confirm.send()}>
          {t('setupPage.confirm')}
        </Button>
      )}
    </Buttons>
  )
}
