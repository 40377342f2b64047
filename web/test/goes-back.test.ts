import { afterEach, expect, test, vi } from 'vitest'
import { blockLeaving } from '../src/components/form/use-unsaved-guard.ts'
import { cancelTopDialog } from '../src/lib/input/top-dialog.ts'

afterEach(() => vi.unstubAllGlobals())

type Fake = EventTarget & { close: () => void }

/** Open dialogs in the order in which they were opened; `focused` is the one with the focus. */
function openDialogs(dialogs: Fake[], focused?: Fake): void {
  const activeElement = focused && { closest: () => focused }
  vi.stubGlobal('document', { activeElement, querySelectorAll: () => dialogs })
}

function dialog(onCancel: (event: Event) => void = () => undefined) {
  const close = vi.fn<() => void>()
  const cancel = vi.fn(onCancel)
  const element = Object.assign(new EventTarget(), { close })
  element.addEventListener('cancel', cancel)
  return Object.assign(element, { cancel })
}

test('Back cancels the dialog with the focus, or else the last one, and only this one', () => {
  const [first, second] = [dialog(), dialog((event) => event.preventDefault())]
  openDialogs([first, second])
  expect(cancelTopDialog()).toBe(true)
  expect([first.cancel.mock.calls.length, second.cancel.mock.calls.length]).toEqual([0, 1])
  // A dialog of the portal closes itself; a message of `notify` does not.
  expect(second.close).not.toHaveBeenCalled()
  openDialogs([first, second], first)
  cancelTopDialog()
  expect(first.close).toHaveBeenCalledOnce()
})

test('Back leaves a page without a dialog', () => {
  openDialogs([])
  expect(cancelTopDialog()).toBe(false)
})

const location = (pathname: string, index: number) => {
  const state = { __TSR_index: index, key: '', __TSR_key: '' }
  return { pathname, state, href: pathname, search: '', hash: '' }
}
const goingBack = { action: 'BACK', currentLocation: location('/b', 3), nextLocation: location('/a', 2) } as const

test('Back with unsaved input stays until the user answers, so that a second Back finds the same place', async () => {
  openDialogs([])
  const go = vi.fn()
  const answer = Promise.withResolvers<boolean>()
  expect(await blockLeaving({ go }, false, () => answer.promise)(goingBack)).toBe(true)
  expect(go).not.toHaveBeenCalled()
  answer.resolve(true)
  await vi.waitFor(() => expect(go).toHaveBeenCalledWith(-1, { ignoreBlocker: true }))
})

test('a page does not ask while Back closes a dialog on it, nor for another part of itself', async () => {
  const ask = vi.fn(async () => false)
  const block = blockLeaving({ go: vi.fn() }, false, ask)
  const open = dialog()
  openDialogs([open])
  expect(await block(goingBack)).toBe(true)
  expect(open.close).toHaveBeenCalledOnce()
  openDialogs([])
  expect(await block({ ...goingBack, action: 'PUSH', nextLocation: location('/b', 4) })).toBe(false)
  expect(ask).not.toHaveBeenCalled()
  expect(await block({ ...goingBack, action: 'PUSH' })).toBe(true)
})
