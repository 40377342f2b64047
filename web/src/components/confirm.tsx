export type ConfirmQuestion = {
  title: string
  message: string
  /** What the button does, as a verb: "Remove", never "OK". */
  action: string
}
type Question = ConfirmQuestion & { answer: (yes: boolean) => void }

let question: Question | null = null
const listeners = new Set<() => void>()

function update(next: Question | null): void {
  question = next
  for (const listener of listeners) listener()
}

/**
 * `if (await confirm({ title, message, action: t('actions.remove') }))`: the question before something that can't be
 * undone.
 */
export function confirm(content: ConfirmQuestion): Promise<boolean> {
  question?.answer(false)
  return new Promise((resolve) => {
    update({
      ...content,
      answer: (yes) => {
        update(null)
        resolve(yes)
      },
    })
  })
}

/** For `ConfirmHost`: the question that waits for an answer, or null. */
export function getQuestion(): Question | null {
  return question
}

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
