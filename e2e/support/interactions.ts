import type { Locator } from '@playwright/test'

/**
 * Counts a user's interactions: each click, each field that is filled or selected, and each key press that submits.
 * Reading and waiting do not count.
 */
export function countInteractions() {
  let count = 0
  const run = async (work: Promise<unknown>) => {
    count += 1
    await work
  }
  return {
    click: (target: Locator) => run(target.click()),
    fill: (target: Locator, value: string) => run(target.fill(value)),
    /** Several boxes that are filled without leaving the keyboard, such as those of a PIN. */
    type: (first: Locator, value: string) => run(first.pressSequentially(value)),
    choose: (target: Locator, value: string) => run(target.selectOption(value)),
    check: (target: Locator) => run(target.check()),
    press: (target: Locator, key: string) => run(target.press(key)),
    count: () => count,
  }
}
