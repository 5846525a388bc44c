import type { Ports } from '../../../application/ports.js'

/** Nothing can be read here as an image. */
export const noImages: Ports['images'] = {
  read: async () => undefined,
  remove: async () => undefined,
  removeAllOf: async () => undefined,
  async *kept() {},
}

/** Jobs are tried over Postgres. */
export const noBackgroundJobs: Ports['backgroundJobs'] = {
  add: async () => undefined,
  find: async () => undefined,
  list: async () => [],
  active: async () => [],
  cancel: async () => false,
}
