/**
 * What processes of the version before are told on each channel. They announce nothing before another process has said that it
 * listens, and ask again a minute later. To be removed one version later (decision 165).
 */
export const iListen = 'I listen'

/** Whether a payload is their question, which `iListen` answers. */
export const isOlderQuestion = (payload: string): boolean => payload === 'who listens'
