import type { Locator } from '@playwright/test'

/**
 * Counts what a person does: each click, each field that is filled or chosen, and each key press that submits. What
 * they only read or wait for does not count.
 */
export function countInteractions() {
  let count = 0
  const counted = async (work: Promise<unknown>) => {
    count += 1
    await work
  }
  return {
    click: (target: Locator) => counted(target.click()),
    fill: (target: Locator, value: string) => counted(target.fill(value)),
    /** Several boxes that are filled without leaving the keyboard, such as those of a PIN. */
    type: (first: Locator, value: string) => counted(first.pressSequentially(value)),
    choose: (target: Locator, value: string) => counted(target.selectOption(value)),
    check: (target: Locator) => counted(target.check()),
    press: (target: Locator, key: string) => counted(target.press(key)),
    count: () => count,
  }
}
