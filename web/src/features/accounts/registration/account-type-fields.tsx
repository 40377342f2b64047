import { type UserType, userTypeLabels } from '@waybill/contract/ground/enums/enums'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import type { FieldBinding } from '../../../components/form/contract-form.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { useChoices } from '../../../lib/labels.ts'

type Props = {
  userType: FieldBinding<UserType>
  companyName: FieldBinding<string>
  registrationNumber: FieldBinding<string>
}

/** Whether a new account is a person's or a company's, and the company. */
export function AccountTypeFields({ userType, companyName, registrationNumber }: Props) {
  const choices = useChoices()
  return (
    <>
      <RadioField field={userType} choices={choices(userTypeLabels)} />
      {userType.value === 'corporate' && (
        <Grid>
          <TextField field={{ ...companyName, required: true }} autoComplete="organization" />
          <TextField field={registrationNumber} />
        </Grid>
      )}
    </>
  )
}
