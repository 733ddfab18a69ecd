/** The same as in the short run, at a hundred moments. */
process.env.KILLS = '100'
await import('../sync/crash.test.ts')
