import {
  type Colleague,
  changedColleague,
  colleagueActivity,
  getColleague,
  inviteColleague,
  listTeam,
  newColleague,
  updateColleague,
} from '@waybill/contract/accounts/team'
import type { Locale } from '@waybill/contract/ground/constants'
import type { AdminUserType, StaffRole } from '@waybill/contract/ground/enums/enums'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { PhoneField } from '../../../components/fields/phone-field.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { languageChoices } from '../../../components/form/language-choices.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import { positionKey, positions, useGrantablePositions, usePositionLabel, useStationChoices } from './positions.ts'

type Values = {
  name: string
  email: string
  phone: string | null
  language: Locale
  type: AdminUserType
  role: StaffRole | null
  stationId: string | null
}

/** Invites a member of staff, or changes name, role and station of one. */
export function ColleagueDialog({ colleague, onClose }: { colleague: Colleague | null; onClose: () => void }) {
  const t = useT()
  const ownStation = useBoundStation()
  const record = useRecordVersion(colleague, ({ id }) => call(getColleague, { params: { id } }))
  const { version } = record
  const form = useContractForm<typeof newColleague | typeof changedColleague, Values, string>({
    schema: colleague ? changedColleague : newColleague,
    initial: {
      name: colleague?.name ?? '',
      email: colleague?.email ?? '',
      phone: colleague?.phone ?? null,
      language: colleague?.language ?? 'en',
      type: colleague?.type ?? 'staff',
      role: colleague ? colleague.role : 'normal_staff',
      stationId: colleague ? colleague.stationId : ownStation,
    },
    prepare: (values) => ({ ...values, phone: values.phone || null, version }),
    onSubmit: async (body) => {
      if (colleague) {
        await call(updateColleague, {
          params: { id: colleague.id },
          body: changedColleague.parse({ ...body, version }),
        })
        return t('teamPage.saved', { name: body.name })
      }
      const { email } = await call(inviteColleague, { body: newColleague.parse(body) })
      return t('usersPage.invitedTo', { email })
    },
    refresh: [listTeam, getColleague, colleagueActivity],
    success: (text) => text,
    onSuccess: onClose,
    refreshOnError: [listTeam],
    onError: record.onError,
  })
  return (
    <SaveDialog
      shape="wide"
      title={colleague ? t('usersPage.editTitle', { name: colleague.name }) : t('teamPage.inviteTitle')}
      onClose={onClose}
      form={form}
      conflict={record.conflict}
      save={t(colleague ? 'actions.save' : 'usersPage.invite')}
    >
      <Grid min={220}>
        <TextField field={form.field('name', t('fields.personName'))} autoComplete="off" data-autofocus />
        {!colleague && (
          <TextField field={form.field('email')} type="email" autoComplete="off" help={t('teamPage.emailHelp')} />
        )}
        <PhoneField field={{ ...form.field('phone'), required: false }} />
      </Grid>
      <PositionFields form={form} ownStation={ownStation} />
      {!colleague && <RadioField field={form.field('language')} choices={languageChoices} />}
    </SaveDialog>
  )
}

/** The station of an administrator who manages only that station; null for everybody else. */
function useBoundStation(): string | null {
  const own = useSession((state) => state.auth.user?.staff)
  return own && own.type !== 'superadmin' ? own.stationId : null
}

function PositionFields({ form, ownStation }: { form: ContractForm<Values>; ownStation: string | null }) {
  const t = useT()
  const label = usePositionLabel()
  const grantable = useGrantablePositions()
  const stations = useStationChoices()
  const key = positionKey(form.values)
  return (
    <Grid min={220}>
      <SelectField
        field={{
          ...form.field('role', t('teamPage.role')),
          required: true,
          value: key,
          onChange: (value) => {
            const position = positions.find((each) => positionKey(each) === value)
            if (!position) return
            form.set('type', position.type)
            form.set('role', position.role)
          },
        }}
        choices={grantable.map((position) => ({ value: positionKey(position), label: label(position) }))}
        help={t(`teamPage.roleHelp.${key}`)}
      />
      <SelectField
        field={{ ...form.field('stationId', t('teamPage.station')), required: ownStation !== null }}
        choices={stations.filter(({ value }) => ownStation === null || value === ownStation)}
        placeholder={t('teamPage.noStation')}
        help={t('teamPage.stationHelp')}
      />
    </Grid>
  )
}
