/**
 * Sends scans or quick presses one after another: the next one waits, while `useSend` alone would ignore it. The same
 * content again before it is sent, as from a double click, is sent once. One per component:
 *
 *     const [inOrder] = useState(sendInOrder<boolean>)
 *     void inOrder(number, () => remove.send(number))
 */
export function sendInOrder<T>() {
  const pending = new Map<string, Promise<T>>()
  let last: Promise<unknown> = Promise.resolve()
  return (content: string, send: () => Promise<T>): Promise<T> => {
    const same = pending.get(content)
    if (same) return same
    const request = last.then(send).finally(() => pending.delete(content))
    pending.set(content, request)
    last = request.catch(() => undefined)
    return request
  }
}
