import path from 'node:path'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { personalDataKey } from '../../cli/personal-data-key.ts'
import { openStore, type Store } from '../../process/store.ts'
import { startProduct, type ProductProcess } from '../../test/support/product-process.ts'
import { scratch } from './scratch.ts'

/** Runs the task beside a product in a folder of its own, with the product's store open. All is ended and removed afterwards. */
export async function withProductAndStore<Result>(
  task: (product: ProductProcess, store: Store) => Promise<Result>,
): Promise<Result> {
  const place = scratch()
  const product = await startProduct({ dataDir: place.folder }).catch((error: unknown) => {
    place.remove()
    throw error
  })
  try {
    const connection = await findRunningPostgres(path.join(product.dataDir, 'postgres'))
    if (!connection) throw new Error('The Postgres of the product is not to be found')
    const onError = (error: unknown): void => console.error(error)
    const key = await personalDataKey(undefined, product.dataDir)
    const store = await openStore({ connection, personalDataKey: key, onError })
    try {
      return await task(product, store)
    } finally {
      await store.close()
    }
  } finally {
    await product.stop().finally(() => place.remove())
  }
}
