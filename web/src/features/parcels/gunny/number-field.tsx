import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { FieldRow } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'

/** A field for a hand scanner: Enter takes the text, a pasted list takes all its numbers, and the focus stays. */
export function NumberField({ onNumbers }: { onNumbers: (numbers: readonly string[]) => void }) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    const numbers = text.split(/[\n\r\t,;]+/).filter((each) => each.trim() !== '')
    if (numbers.length > 0) onNumbers(numbers)
    setText('')
    field.current?.focus()
  }
  return (
    <FieldRow as="form" onSubmit={submit}>
      <TextInput
        ref={field}
        label={t('gunnyPage.scan')}
        description={t('gunnyPage.scanHelp')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onPaste={(event) => {
          const clipboardText = event.clipboardData.getData('text')
          if (!/[\n\t,;]/.test(clipboardText.trim())) return
          event.preventDefault()
          onNumbers(clipboardText.split(/[\n\r\t,;]+/))
        }}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
      />
      <Button type="submit">{t('gunnyPage.addNumber')}</Button>
    </FieldRow>
  )
}
