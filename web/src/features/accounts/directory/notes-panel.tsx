import { Button, Textarea } from '@mantine/core'
import { addAccountNote, deleteAccountNote, listAccountNotes } from '@waybill/contract/accounts/directory'
import { staffAccountActivity } from '@waybill/contract/logs/account-activity'
import { useState } from 'react'
import { Time } from '../../../components/display/time.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { Buttons, LineList, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'
import type { Cursor } from '../shared/activity-entries.tsx'

const pageSize = 8
const stale = [listAccountNotes, staffAccountActivity]

/** Staff's notes on an account, newest first. */
export function NotesPanel({ id }: { id: string }) {
  const t = useT()
  const callOnce = useCallOnce()
  const [cursor, setCursor] = useState<Cursor>({})
  const query = { ...cursor, limit: pageSize }
  const notes = useCall(listAccountNotes, { params: { id }, query }, { keepPrevious: true })
  const { items = [], next = null, previous = null } = notes.data ?? {}
  const form = useContractForm({
    schema: addAccountNote.body,
    initial: { text: '' },
    onSubmit: (body) => callOnce(addAccountNote, { params: { id }, body }),
    refresh: stale,
    success: t('accountPage.noteSaved'),
    onSuccess: () => {
      form.reset({ text: '' })
      setCursor({})
    },
  })
  const remove = useSend((noteId: string) => call(deleteAccountNote, { params: { id, noteId } }), {
    confirm: {
      title: t('accountPage.deleteNote'),
      message: t('accountPage.deleteNoteText'),
      action: t('actions.remove'),
    },
    refresh: stale,
    success: t('accountPage.noteDeleted'),
  })
  const text = form.field('text', t('accountPage.note'))
  return (
    <Panel title={t('accountPage.notes')}>
      <Note>{t('accountPage.notesLead')}</Note>
      <Stack as="form" {...form.props}>
        <Textarea
          {...fieldProps(text)}
          value={text.value}
          onChange={(event) => text.onChange(event.currentTarget.value)}
          autosize
          minRows={2}
        />
        <Buttons>
          <Button type="submit" size="sm" loading={form.submitting}>
            {t('accountPage.addNote')}
          </Button>
        </Buttons>
      </Stack>
      {notes.error && <ErrorPanel error={notes.error} retry={() => void notes.refetch()} />}
      {items.length > 0 && (
        <LineList>
          {items.map((note) => (
            <li key={note.id}>
              <span style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                {note.text}
                <Quiet>
                  {note.author} · <Time at={note.at} />
                </Quiet>
              </span>
              {note.own && (
                <Button size="compact-sm" disabled={remove.pending} onClick={() => void remove.send(note.id)}>
                  {t('actions.remove')}
                </Button>
              )}
            </li>
          ))}
        </LineList>
      )}
      {(next || previous) && (
        <Buttons>
          <Button size="sm" disabled={!previous} onClick={() => previous && setCursor({ before: previous })}>
            {t('teamPage.newer')}
          </Button>
          <Button size="sm" disabled={!next} onClick={() => next && setCursor({ after: next })}>
            {t('teamPage.older')}
          </Button>
        </Buttons>
      )}
    </Panel>
  )
}
