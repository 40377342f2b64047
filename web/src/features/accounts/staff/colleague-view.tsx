import { Button } from '@mantine/core'
import { type Colleague, getColleague } from '@waybill/contract/accounts/team'
import { Phone } from '../../../components/display/phone-link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { MemberStatus } from '../company/member-status.tsx'
import { ColleagueAccess } from './colleague-access.tsx'
import { ColleagueActivity } from './colleague-activity.tsx'
import { positionKey, usePositionLabel, useStationName } from './positions.ts'

type Props = { id: string; edit: (colleague: Colleague) => void; onClose: () => void }

/** A member of staff: permissions, activity, and actions such as suspending. */
export function ColleagueView({ id, edit, onClose }: Props) {
  const t = useT()
  const colleague = useCall(getColleague, { params: { id } })
  const { data } = colleague
  return (
    <Dialog shape="wide" title={data?.name ?? '…'} onClose={onClose}>
      {data ? (
        <Stack>
          <ColleagueFacts colleague={data} />
          <ColleagueActivity id={data.id} />
          {data.editable ? (
            <ColleagueAccess colleague={data} onClose={onClose} />
          ) : (
            <Note>{t(data.isYou ? 'teamPage.isYouText' : 'teamPage.notEditable')}</Note>
          )}
          <DialogFoot>
            <Button onClick={onClose}>{t('actions.close')}</Button>
            {data.editable && (
              <Button variant="filled" onClick={() => edit(data)}>
                {t('actions.edit')}
              </Button>
            )}
          </DialogFoot>
        </Stack>
      ) : colleague.error ? (
        <ErrorPanel error={colleague.error} retry={() => void colleague.refetch()} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

function ColleagueFacts({ colleague }: { colleague: Colleague }) {
  const t = useT()
  const format = useFormat()
  const positionLabel = usePositionLabel()
  const stationName = useStationName()
  const { status, lastLoginAt, invited } = colleague
  return (
    <>
      <Facts layout="tiles" min={200}>
        <Fact label={t('fields.status')}>
          <MemberStatus status={status} invited={invited} />
        </Fact>
        <Fact label={t('teamPage.role')}>{positionLabel(colleague)}</Fact>
        <Fact label={t('teamPage.station')}>{stationName(colleague.stationId)}</Fact>
        <Fact label={t('fields.email')}>{colleague.email}</Fact>
        <Fact label={t('fields.phone')}>{colleague.phone ? <Phone phone={colleague.phone} /> : '–'}</Fact>
        <Fact label={t('usersPage.lastLogin')}>
          {lastLoginAt ? <Time at={lastLoginAt} /> : t(invited ? 'usersPage.invitedText' : 'usersPage.never')}
        </Fact>
        <Fact label={t('teamPage.devices')}>{format.number(colleague.sessions)}</Fact>
        <Fact label={t('teamPage.factor')}>
          {t(colleague.hasSecondFactor ? 'teamPage.factorOn' : 'teamPage.factorOff')}
        </Fact>
      </Facts>
      <Note>{t(`teamPage.roleHelp.${positionKey(colleague)}`)}</Note>
    </>
  )
}
