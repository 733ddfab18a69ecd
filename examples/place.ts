/** The address of Asana: the real one, or that of `conex simulators` if ASANA_BASE_URL is set. */
export const place =
  process.env.ASANA_BASE_URL === undefined ? {} : { baseUrl: process.env.ASANA_BASE_URL, allowPrivateNetwork: true }
