import type { Ports } from '../../../application/ports.js'

/** Here nothing can be read as an image. */
export const noImages: Ports['images'] = {
  read: async () => undefined,
  remove: async () => undefined,
  removeAllOf: async () => undefined,
  async *kept() {},
}

/** Jobs are tested with Postgres. */
export const noBackgroundJobs: Ports['backgroundJobs'] = {
  add: async () => undefined,
  find: async () => undefined,
  list: async () => [],
  active: async () => [],
  cancel: async () => false,
}
