/** The roles of a process. `start` plays all of them in one process. */
export const roles = ['api', 'projector', 'gateway', 'worker'] as const
export type Role = (typeof roles)[number]
