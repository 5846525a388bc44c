/** The steps of building an archive, as clients see them. */
export const archiveSteps = {
  queued: 'Queued',
  starting: 'Starting harvest',
  messages: 'Harvesting messages',
  account: 'Collecting user metadata',
  files: 'Downloading attachments and creating archive',
  completed: 'Completed',
  failed: 'Failed',
} as const
