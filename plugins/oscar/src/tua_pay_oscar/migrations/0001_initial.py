import django.db.models.deletion
from django.db import migrations, models

import tua_pay_oscar.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("order", "0001_initial"),
        ("payment", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Payment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("attempt", models.PositiveSmallIntegerField(verbose_name="attempt")),
                (
                    "amount",
                    models.DecimalField(decimal_places=2, max_digits=12, verbose_name="amount"),
                ),
                ("email", models.EmailField(max_length=254, verbose_name="e-mail address")),
                ("return_url", models.URLField(max_length=500)),
                (
                    "idempotency_key",
                    models.CharField(
                        default=tua_pay_oscar.models.new_key, max_length=64, unique=True
                    ),
                ),
                ("mode", models.CharField(max_length=4, verbose_name="mode")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("NEW", "not begun"),
                            ("OPEN", "not confirmed yet"),
                            ("PAID", "paid"),
                            ("OVER", "over, and no money moved"),
                        ],
                        default="NEW",
                        max_length=4,
                        verbose_name="state",
                    ),
                ),
                (
                    "checkout_id",
                    models.CharField(blank=True, max_length=64, null=True, unique=True),
                ),
                ("charge_id", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="begun")),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="last change")),
                (
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tua_payments",
                        to="order.order",
                        verbose_name="order",
                    ),
                ),
                (
                    "source",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tua_payment",
                        to="payment.source",
                        verbose_name="source",
                    ),
                ),
            ],
            options={
                "verbose_name": "mobile money payment",
                "verbose_name_plural": "mobile money payments",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Refund",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "amount",
                    models.DecimalField(decimal_places=2, max_digits=12, verbose_name="amount"),
                ),
                (
                    "idempotency_key",
                    models.CharField(
                        default=tua_pay_oscar.models.new_key, max_length=64, unique=True
                    ),
                ),
                ("refund_id", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("PENDING", "not confirmed yet"),
                            ("SUCCESSFUL", "made"),
                            ("FAILED", "failed, and no money moved"),
                        ],
                        default="PENDING",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("message", models.TextField(blank=True, verbose_name="message")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="begun")),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="last change")),
                (
                    "payment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="refunds",
                        to="tua_pay_oscar.payment",
                        verbose_name="payment",
                    ),
                ),
            ],
            options={
                "verbose_name": "mobile money refund",
                "verbose_name_plural": "mobile money refunds",
                "ordering": ["pk"],
            },
        ),
        migrations.AddIndex(
            model_name="payment",
            index=models.Index(fields=["state", "created_at"], name="tua_payment_state"),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.UniqueConstraint(
                fields=("order", "attempt"), name="tua_payment_attempt"
            ),
        ),
        migrations.AddIndex(
            model_name="refund",
            index=models.Index(fields=["state", "created_at"], name="tua_refund_state"),
        ),
    ]
