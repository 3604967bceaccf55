/* Programs without pthread_cleanup_push. */

void __heddle_run_cleanup_handlers(void)
{
}
