import { TextField } from '../../components/fields/text-field.tsx'
import type { FieldBinding } from '../../components/form/contract-form.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './settings.module.css'

type Props = { field: FieldBinding<string>; help?: string | undefined }

/** A colour as `#rrggbb`: typed, or selected with the browser's picker, which also shows it. */
export function ColourField({ field, help }: Props) {
  const t = useT()
  // The picker accepts only complete values. An incomplete one shows as black.
  const colour = /^#[0-9a-f]{6}$/i.test(field.value) ? field.value : '#000000'
  return (
    <TextField
      field={field}
      {...(help ? { help } : {})}
      autoComplete="off"
      leftSection={
        <input
          type="color"
          className={classes.swatch}
          aria-label={t('settingsPage.pickColour')}
          value={colour}
          onChange={(event) => field.onChange(event.currentTarget.value)}
        />
      }
    />
  )
}
