export const hostileStyles = async () => {};
