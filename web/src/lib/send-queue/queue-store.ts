/**
 * Where a queue keeps its entries: the browser's IndexedDB. Entries belong to a user, and are listed in their order.
 */
export type QueueStore<T> = {
  put: (entry: T) => Promise<void>
  remove: (ids: readonly string[]) => Promise<void>
  list: (owner: string) => Promise<T[]>
}

const database = 'waybill'
const table = 'send-queue'

let opening: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(database, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(table, { keyPath: 'id' }).createIndex('owner', 'owner')
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opening
}

/** One transaction; resolves when it is on the disk's side of the browser. Throws where the browser keeps nothing. */
async function transact<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T> | null) {
  const db = await open()
  return new Promise<T | undefined>((resolve, reject) => {
    const transaction = db.transaction(table, mode)
    const request = work(transaction.objectStore(table))
    transaction.oncomplete = () => resolve(request?.result)
    transaction.onabort = () => reject(transaction.error)
    // Without waiting for the answers of its requests: a page may be left at once.
    transaction.commit()
  })
}

/** Entries are objects with `id` (they sort by it) and `owner`. */
export function indexedStore<T extends { id: string; owner: string }>(): QueueStore<T> {
  return {
    async put(entry) {
      await transact('readwrite', (store) => store.put(entry))
    },
    async remove(ids) {
      await transact('readwrite', (store) => {
        for (const id of ids) store.delete(id)
        return null
      })
    },
    async list(owner) {
      return (await transact<T[]>('readonly', (store) => store.index('owner').getAll(owner))) ?? []
    },
  }
}
