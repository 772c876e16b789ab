from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tua_pay_oscar", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="asked_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
