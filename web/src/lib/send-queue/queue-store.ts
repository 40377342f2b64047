/** The storage of a queue: IndexedDB. Each entry belongs to a user; entries are listed in order. */
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

type Work<T> = (store: IDBObjectStore) => IDBRequest<T> | null

/** One transaction. Resolves when the browser has committed it. */
function runTransaction<T>(db: IDBDatabase, mode: IDBTransactionMode, work: Work<T>) {
  return new Promise<T | undefined>((resolve, reject) => {
    const transaction = db.transaction(table, mode)
    const request = work(transaction.objectStore(table))
    transaction.oncomplete = () => resolve(request?.result)
    transaction.onabort = () => reject(transaction.error)
    // Commits at once instead of waiting for the requests' results, because the page may be closed at any moment.
    transaction.commit()
  })
}

/**
 * `runTransaction`, over a new connection if it fails: a browser may close that of a page in the background, and all
 * work can be repeated. Throws if the browser stores nothing.
 */
async function transact<T>(mode: IDBTransactionMode, work: Work<T>): Promise<T | undefined> {
  const connection = open()
  try {
    return await runTransaction(await connection, mode, work)
  } catch {
    // Another transaction may have opened a new one already.
    if (opening === connection) {
      opening = null
      connection.then(
        (db) => db.close(),
        () => undefined,
      )
    }
    return runTransaction(await open(), mode, work)
  }
}

/** Entries are objects with `id`, by which they sort, and `owner`. */
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
