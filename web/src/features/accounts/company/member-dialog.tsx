import {
  changedMember,
  createMember,
  getMember,
  listMembers,
  type Member,
  memberActivity,
  newMember,
  updateMember,
} from '@waybill/contract/accounts/company'
import type { Locale } from '@waybill/contract/ground/constants'
import { type MemberPermission, memberPermissionLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { PhoneField } from '../../../components/fields/phone-field.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { languageChoices } from '../../../components/form/language-choices.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { ErrorText } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useSession } from '../../../lib/session.ts'

type Values = {
  name: string
  email: string
  phone: string | null
  jobTitle: string | null
  costCentre: string | null
  language: Locale
  permissions: MemberPermission[]
  monthlyLimitMinor: number | null
}

/** Invites a user of the company, or changes the details and permissions of one. */
export function MemberDialog({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const t = useT()
  const record = useRecordVersion(member, ({ id }) => call(getMember, { params: { id } }))
  const { version } = record
  const form = useContractForm<typeof newMember | typeof changedMember, Values, string>({
    schema: member ? changedMember : newMember,
    initial: {
      name: member?.name ?? '',
      email: member?.email ?? '',
      phone: member?.phone ?? null,
      jobTitle: member?.jobTitle ?? null,
      costCentre: member?.costCentre ?? null,
      language: member?.language ?? 'en',
      permissions: member ? [...member.permissions] : ['parcels.create'],
      monthlyLimitMinor: member?.monthlyLimitMinor ?? null,
    },
    prepare: (values) => ({ ...values, phone: values.phone || null, version }),
    onSubmit: async (body) => {
      if (member) {
        await call(updateMember, { params: { id: member.id }, body: changedMember.parse({ ...body, version }) })
        return t('usersPage.saved', { name: body.name })
      }
      const { email } = await call(createMember, { body: newMember.parse(body) })
      return t('usersPage.invitedTo', { email })
    },
    refresh: [listMembers, getMember, memberActivity],
    success: (text) => text,
    onSuccess: onClose,
    refreshOnError: [listMembers],
    onError: record.onError,
  })
  return (
    <SaveDialog
      shape="wide"
      title={member ? t('usersPage.editTitle', { name: member.name }) : t('usersPage.newTitle')}
      onClose={onClose}
      form={form}
      conflict={record.conflict}
      save={t(member ? 'actions.save' : 'usersPage.invite')}
    >
      <Grid min={220}>
        <TextField field={form.field('name', t('fields.personName'))} autoComplete="off" data-autofocus />
        {!member && (
          <TextField field={form.field('email')} type="email" autoComplete="off" help={t('usersPage.emailHelp')} />
        )}
        <PhoneField field={{ ...form.field('phone'), required: false }} />
      </Grid>
      <Grid min={220}>
        <TextField field={form.field('jobTitle')} autoComplete="off" />
        <TextField field={form.field('costCentre')} autoComplete="off" help={t('usersPage.costCentreHelp')} />
      </Grid>
      {!member && <RadioField field={form.field('language')} choices={languageChoices} />}
      <PermissionFields
        permissions={form.values.permissions}
        choose={(permissions) => form.set('permissions', permissions)}
        error={form.field('permissions').error}
      />
      <MoneyField
        field={{ ...form.field('monthlyLimitMinor'), required: false }}
        help={t('usersPage.limitHelp')}
        placeholder={t('usersPage.noLimit')}
      />
    </SaveDialog>
  )
}

type PermissionProps = {
  permissions: readonly MemberPermission[]
  choose: (permissions: MemberPermission[]) => void
  error: string | undefined
}

/** The permissions with their explanations. Users cannot grant permissions that they do not have. */
function PermissionFields({ permissions, choose, error }: PermissionProps) {
  const t = useT()
  const label = useLabel()
  const account = useSession((state) => state.auth.user?.account)
  const mayGive = (value: MemberPermission) => account?.isOwner || account?.memberPermissions.includes(value)
  return (
    <Fieldset legend={t('fields.permissions')}>
      <Grid min={240} gap="12px 16px">
        {labelValues(memberPermissionLabels).map((value) => (
          <CheckboxField
            key={value}
            field={{
              id: `permission-${value}`,
              path: value,
              value: permissions.includes(value),
              onChange: (on) => choose(on ? [...permissions, value] : permissions.filter((each) => each !== value)),
              onBlur: () => undefined,
              error: undefined,
              required: false,
              label: label(memberPermissionLabels, value),
            }}
            help={mayGive(value) ? t(`usersPage.may.${value}`) : t('usersPage.notYours')}
            disabled={!mayGive(value)}
          />
        ))}
      </Grid>
      {error && <ErrorText>{error}</ErrorText>}
    </Fieldset>
  )
}
